package mfuko

import "context"

// What people do with money together.

// GroupCalls are about savings groups.
type GroupCalls struct{ calls }

// List has yours, or those you could join.
func (g GroupCalls) List(
	ctx context.Context, query ListGroupsQuery, options ...CallOption,
) (*Page[Group], error) {
	return pageOf[Group](ctx, g.calls, "/api/groups", Input{Query: query}, options)
}

// Create makes a savings group.
func (g GroupCalls) Create(ctx context.Context, body CreateGroupBody, options ...CallOption) (*Group, error) {
	return dataOf[Group](ctx, g.calls, "POST", "/api/groups", Input{Body: body}, options)
}

// Get has its members and what happened.
func (g GroupCalls) Get(ctx context.Context, id string, options ...CallOption) (*GroupDetails, error) {
	input := Input{Params: params("id", id)}
	return dataOf[GroupDetails](ctx, g.calls, "GET", "/api/groups/:id", input, options)
}

// Join needs the invitation code if it is private.
func (g GroupCalls) Join(
	ctx context.Context, id string, body JoinGroupBody, options ...CallOption,
) (*GroupDetails, error) {
	input := Input{Params: params("id", id), Body: body}
	return dataOf[GroupDetails](ctx, g.calls, "POST", "/api/groups/:id/join", input, options)
}

// Leave leaves it.
func (g GroupCalls) Leave(ctx context.Context, id string, options ...CallOption) error {
	return g.done(ctx, "POST", "/api/groups/:id/leave", Input{Params: params("id", id)}, options)
}

// Contribute pays into the pot.
func (g GroupCalls) Contribute(
	ctx context.Context, id string, body ContributeToGroupBody, options ...CallOption,
) (*GroupContribution, error) {
	input := Input{Params: params("id", id), Body: body}
	return dataOf[GroupContribution](ctx, g.calls, "POST", "/api/groups/:id/contribute", input, options)
}

// ProposePayout asks the other members to spend something.
func (g GroupCalls) ProposePayout(
	ctx context.Context, id string, body ProposeGroupPayoutBody, options ...CallOption,
) (*GroupPayout, error) {
	input := Input{Params: params("id", id), Body: body}
	return dataOf[GroupPayout](ctx, g.calls, "POST", "/api/groups/:id/payouts", input, options)
}

// ApprovePayout agrees; with enough of them it is paid.
func (g GroupCalls) ApprovePayout(
	ctx context.Context, id, payoutID string, options ...CallOption,
) (*GroupPayout, error) {
	input := Input{Params: map[string]string{"id": id, "payout_id": payoutID}}
	return dataOf[GroupPayout](ctx, g.calls, "POST", "/api/groups/:id/payouts/:payout_id/approve", input, options)
}

// CampaignCalls are about campaigns.
type CampaignCalls struct{ calls }

// Browse has what is public.
func (c CampaignCalls) Browse(
	ctx context.Context, query BrowseCampaignsQuery, options ...CallOption,
) (*Page[ListedCampaign], error) {
	return pageOf[ListedCampaign](ctx, c.calls, "/api/campaigns/browse", Input{Query: query}, options)
}

// Create makes a campaign.
func (c CampaignCalls) Create(
	ctx context.Context, body CreateCampaignBody, options ...CallOption,
) (*Campaign, error) {
	return dataOf[Campaign](ctx, c.calls, "POST", "/api/campaigns", Input{Body: body}, options)
}

// Get is one of them.
func (c CampaignCalls) Get(ctx context.Context, id string, options ...CallOption) (*Campaign, error) {
	input := Input{Params: params("id", id)}
	return dataOf[Campaign](ctx, c.calls, "GET", "/api/campaigns/:id", input, options)
}

// Contribute gives to it.
func (c CampaignCalls) Contribute(
	ctx context.Context, id string, body ContributeToCampaignBody, options ...CallOption,
) (*CampaignContribution, error) {
	input := Input{Params: params("id", id), Body: body}
	return dataOf[CampaignContribution](ctx, c.calls, "POST", "/api/campaigns/:id/contribute", input, options)
}

// Withdraw takes what was raised to the owner's wallet.
func (c CampaignCalls) Withdraw(
	ctx context.Context, id string, body WithdrawFromCampaignBody, options ...CallOption,
) (*CampaignWithdrawal, error) {
	input := Input{Params: params("id", id), Body: body}
	return dataOf[CampaignWithdrawal](ctx, c.calls, "POST", "/api/campaigns/:id/withdraw", input, options)
}

// PreviewWithdrawal says the fee, and what arrives; it moves nothing.
func (c CampaignCalls) PreviewWithdrawal(
	ctx context.Context, id string, body PreviewCampaignWithdrawalBody, options ...CallOption,
) (*CampaignWithdrawalPreview, error) {
	input := Input{Params: params("id", id), Body: body}
	const path = "/api/campaigns/:id/withdraw/preview"
	return dataOf[CampaignWithdrawalPreview](ctx, c.calls, "POST", path, input, options)
}
