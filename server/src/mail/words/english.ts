import type { Words } from './words.ts'

const notYou = 'If this was not you, change your password and your PIN now, and end all other sessions.'

export const english: Words = {
  greeting: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
  colon: ': ',
  footer: (brand) => `You get this mail because this address belongs to a ${brand} account.`,
  letters: {
    confirm_email: ({ code }, brand) => ({
      subject: `Confirm your e-mail address for ${brand}`,
      opening: ['Enter this code to confirm your e-mail address:'],
      code,
      closing: [
        `Give this code to nobody. ${brand} will never ask you for it.`,
        'If you did not ask for it, you need to do nothing.',
      ],
    }),
    reset_password: ({ code }, brand) => ({
      subject: `Set a new password for ${brand}`,
      opening: ['Enter this code to set a new password:'],
      code,
      closing: [
        `Give this code to nobody. ${brand} will never ask you for it.`,
        'If you did not ask for it, you need to do nothing: your password stays as it is.',
      ],
    }),
    new_device: ({ device, address, time }, brand) => ({
      subject: `New device on your ${brand} account`,
      opening: ['Somebody logged in to your account on a device that we have not seen before.'],
      facts: [
        ['Device', device],
        ['Network address', address],
        ['Time', time],
      ],
      closing: ['If this was you, you need to do nothing.', notYou],
    }),
    pin_changed: ({ time, ended }, brand) => ({
      subject: `Your ${brand} PIN was changed`,
      opening: [
        ended
          ? 'The PIN of your account was changed, and all other sessions were ended.'
          : 'The PIN of your account was changed.',
      ],
      facts: [['Time', time]],
      closing: ['If this was you, you need to do nothing.', notYou],
    }),
    pin_locked: ({ time, disabled }, brand) => ({
      subject: `Your ${brand} PIN is ${disabled ? 'disabled' : 'locked'}`,
      opening: [
        `A wrong PIN was entered too many times. No money left your wallet by it, and your PIN is ${disabled ? 'disabled for good' : 'locked'}.`,
      ],
      facts: [['Time', time]],
      closing: [
        disabled
          ? 'If this was you, set a new PIN with your password. Waiting does not open the old one again.'
          : 'If this was you, wait half an hour and try again, or set a new PIN with your password.',
        notYou,
      ],
    }),
    password_changed: ({ time }, brand) => ({
      subject: `Your ${brand} password was changed`,
      opening: ['The password of your account was changed, and all other sessions were ended.'],
      facts: [['Time', time]],
      closing: [
        'If this was you, you need to do nothing.',
        'If this was not you, ask for a new password on the login page now.',
      ],
    }),
    email_changed: ({ time }, brand) => ({
      subject: `The e-mail address of your ${brand} account was changed`,
      opening: [
        'Another e-mail address was set for your account. Mails about it no longer come to this one.',
      ],
      facts: [['Time', time]],
      closing: ['If this was you, you need to do nothing.', notYou],
    }),
    login_locked: ({ time }, brand) => ({
      subject: `Logging in to your ${brand} account is locked`,
      opening: [
        'A wrong password was entered very many times. Your money is safe: nobody got in, and the password opens nothing any more.',
      ],
      facts: [['Time', time]],
      closing: ['To log in again, ask for a code on the login page and set a new password.'],
    }),
    session_revoked: ({ time }, brand) => ({
      subject: `A session of your ${brand} account was ended`,
      opening: ['We ended a session of your account to keep it safe.'],
      facts: [['Time', time]],
      closing: [
        'Log in again to go on.',
        'If you did not end it yourself, change your password now: somebody else may have used it.',
      ],
    }),
    session_ended: ({ device, time }, brand) => ({
      subject: `A device was signed out of your ${brand} account`,
      opening: [
        'The session of this device was ended from another device that is signed in to your account.',
      ],
      facts: [
        ['Device', device],
        ['Time', time],
      ],
      closing: ['If this was you, you need to do nothing.', notYou],
    }),
    account_frozen: (_data, brand) => ({
      subject: `Your ${brand} account is frozen`,
      opening: [
        'Your money is safe in your wallets. Your account is frozen: no money can be sent or withdrawn.',
      ],
      closing: [`Contact ${brand} to learn why, and what to do.`],
    }),
    account_unfrozen: (_data, brand) => ({
      subject: `Your ${brand} account is open again`,
      opening: ['Your account is open again. You can send and withdraw money as before.'],
      closing: ['You need to do nothing.'],
    }),
    money_in: ({ amountText, from, reference, balanceText, time }) => ({
      subject: `You received ${amountText}`,
      opening: [`${amountText} arrived in your wallet.`],
      facts: [
        ['From', from],
        ['Reference', reference],
        ['Balance now', balanceText],
        ['Time', time],
      ],
      closing: ['Keep the reference: it names this payment if you have a question.'],
    }),
    money_out: ({ amountText, to, feeText, reference, balanceText, time }) => ({
      subject: `You sent ${amountText}`,
      opening: [`${amountText} left your wallet.`],
      facts: [
        ['To', to],
        ['Fee, taken from it', feeText],
        ['Reference', reference],
        ['Balance now', balanceText],
        ['Time', time],
      ],
      closing: ['Keep the reference: it names this payment if you have a question.', notYou],
    }),
    withdrawal_done: ({ amountText, to, feeText, reference, balanceText, time }) => ({
      subject: `You withdrew ${amountText}`,
      opening: [`${amountText} left your wallet and arrived at your provider.`],
      facts: [
        ['To', to],
        ['Fee, beside it', feeText],
        ['Reference', reference],
        ['Balance now', balanceText],
        ['Time', time],
      ],
      closing: ['Keep the reference: it names this payment if you have a question.', notYou],
    }),
    withdrawal_failed: ({ amountText, to, reference, time }) => ({
      subject: `Your withdrawal of ${amountText} did not work`,
      opening: [`All of your money is back in your wallet: ${amountText} and the fee.`],
      facts: [
        ['To', to],
        ['Reference', reference],
        ['Time', time],
      ],
      closing: ['Check the number and try again, or choose another provider.'],
    }),
    money_request: ({ amountText, from, note }, brand) => ({
      subject: `${from} asks you for ${amountText}`,
      opening: [`${from} asks you for ${amountText}. No money has left your wallet.`],
      ...(note ? { facts: [['Their note', `“${note}”`]] } : {}),
      closing: [`Open ${brand} to pay or to decline. Pay only if you know who is asking, and why.`],
    }),
    group_due_soon: ({ groupName, amountText, time }, brand) => ({
      subject: `${groupName}: ${amountText} is due in two days`,
      opening: [`Your contribution to ${groupName} is due soon. No money has left your wallet.`],
      facts: [
        ['Amount', amountText],
        ['Due', time],
      ],
      closing: [`Open ${brand} to pay. Any member can also pay for you.`],
    }),
    group_due_today: ({ groupName, amountText, time }, brand) => ({
      subject: `${groupName}: ${amountText} is due today`,
      opening: [`Your contribution to ${groupName} is due today. No money has left your wallet.`],
      facts: [
        ['Amount', amountText],
        ['Due', time],
      ],
      closing: [`Open ${brand} to pay. Any member can also pay for you.`],
    }),
    group_late: ({ groupName, amountText, time }, brand) => ({
      subject: `${groupName}: your contribution is late`,
      opening: [
        `Your contribution to ${groupName} has not come yet, and the others are waiting for it. No money has left your wallet.`,
      ],
      facts: [
        ['Amount', amountText],
        ['Was due', time],
      ],
      closing: [`Open ${brand} to pay. If you can not pay now, talk to the chair of the group.`],
    }),
    group_proposal: ({ groupName, from, to, amountText, reason }, brand) => ({
      subject: `${groupName}: ${from} proposes a payout of ${amountText}`,
      opening: [`A payout from ${groupName} is proposed. No money has left the group.`],
      facts: [
        ['Proposed by', from],
        ['To', to],
        ['Amount', amountText],
        ['Reason', `“${reason}”`],
      ],
      closing: [
        `Open ${brand} to approve it. It is paid when more than half of the other members have approved; if you do not agree, you need to do nothing.`,
      ],
    }),
    merchant_approved: ({ businessName }, brand) => ({
      subject: `${businessName} can take payments with ${brand}`,
      opening: [`We have reviewed ${businessName}: it is approved, and can take payments from now on.`],
      closing: [
        `Open the Business section of ${brand} for your live API key and Client Secret. The API key is shown once: keep it in a safe place.`,
        'Your test credentials go on working.',
      ],
    }),
    merchant_rejected: ({ businessName, reason }, brand) => ({
      subject: `${businessName} was not approved`,
      opening: [`We have reviewed ${businessName} and could not approve it yet.`],
      facts: [['Reason', reason]],
      closing: [`You can mend this and apply again in the Business section of ${brand}.`],
    }),
    merchant_suspended: ({ businessName, reason }, brand) => ({
      subject: `${businessName} is suspended`,
      opening: [
        `The money of ${businessName} is safe in its account. It can take no payments for the time being, and its API keys do not work.`,
      ],
      facts: [['Reason', reason]],
      closing: [`Contact ${brand} to learn what to do.`],
    }),
    merchant_reinstated: ({ businessName }) => ({
      subject: `${businessName} can take payments again`,
      opening: [
        `The suspension of ${businessName} has ended. It can take payments again, with the same API keys.`,
      ],
      closing: ['You need to do nothing.'],
    }),
    refund_failed: ({ businessName, amountText, reference, mode, time }, brand) => ({
      subject: `${businessName}: a refund of ${amountText} failed`,
      opening: [
        `The customer did not get the ${amountText} that ${businessName} gave back: the provider refused the refund. The money is in the account of the business again.`,
      ],
      facts: [
        ['Payment', reference],
        ['Mode', mode],
        ['Time', time],
      ],
      closing: [
        `See why on the page of the payment in the Business section of ${brand}. Then refund it again, or ask the customer how else to give the money back.`,
      ],
    }),
    campaign_ended: ({ title, raisedText, goalText }, brand) => ({
      subject: `Your campaign has ended: ${title}`,
      opening: [
        'Its time is over, and nobody can contribute any more. What was raised is safe in its account.',
      ],
      facts: [
        ['Raised', raisedText],
        ['Goal', goalText],
      ],
      closing: [
        `You can take the money out in ${brand} at any time, and tell your contributors what became of it.`,
      ],
    }),
    campaign_paused: ({ title, reason }, brand) => ({
      subject: `Your campaign is paused: ${title}`,
      opening: [
        'The money of your campaign is safe in its account. For the time being nobody can contribute, and nothing can be taken out.',
      ],
      facts: [['Reason', reason]],
      closing: [`Contact ${brand} to learn what to do.`],
    }),
    campaign_resumed: ({ title }) => ({
      subject: `Your campaign goes on: ${title}`,
      opening: [
        'The pause of your campaign has ended. People can contribute again, and you can take money out.',
      ],
      closing: ['You need to do nothing.'],
    }),
    campaign_returning: ({ title, reason }, brand) => ({
      subject: `Your campaign is closed: ${title}`,
      opening: ['What is in the account of your campaign goes back to the people who gave it.'],
      facts: [['Reason', reason]],
      closing: [`If you think that this is wrong, contact ${brand}.`],
    }),
    campaign_returned: ({ title, reason, amountText, reference }) => ({
      subject: `Your contribution came back: ${title}`,
      opening: ['The campaign was closed, and your contribution is back in your wallet.'],
      facts: [
        ['Amount', amountText],
        ['Reason', reason],
        ['Reference', reference],
      ],
      closing: ['You need to do nothing.'],
    }),
    notification_trouble: ({ businessName, url, time }, brand) => ({
      subject: `${businessName}: a notification could not be delivered`,
      opening: [
        'The payments themselves are not affected. We could not tell your server about one of them, and keep trying.',
      ],
      facts: [
        ['Address', url],
        ['Failing since', time],
      ],
      closing: [
        `See every attempt under Notifications in the Business section of ${brand}. When your server works again, you can have them sent at once.`,
      ],
    }),
    notification_suspended: ({ businessName, url, time }, brand) => ({
      subject: `${businessName}: notifications are paused`,
      opening: [
        `The payments themselves are not affected. Nothing but failures came back from your server, so we have stopped sending to it. What we would have sent is kept.`,
      ],
      facts: [
        ['Address', url],
        ['Paused since', time],
      ],
      closing: [
        `When your server works again, have the kept notifications sent in the Business section of ${brand}.`,
      ],
    }),
    notification_gone: ({ businessName, url, time }, brand) => ({
      subject: `${businessName}: notifications are paused`,
      opening: [
        `The payments themselves are not affected. Your server said that this address is gone for good, so we have stopped sending to it. What we would have sent is kept.`,
      ],
      facts: [
        ['Address', url],
        ['Paused since', time],
      ],
      closing: [
        `When your server works again, have the kept notifications sent in the Business section of ${brand}.`,
      ],
    }),
  },
}
