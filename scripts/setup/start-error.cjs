'use strict'

/** What the person who starts the program can mend; the message is the whole sentence they see. */
const startError = (message, cause) => Object.assign(new Error(message, { cause }), { name: 'StartError' })

module.exports = { startError }
