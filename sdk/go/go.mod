module github.com/mfuko/mfuko-go

go 1.19
