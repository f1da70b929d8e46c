import type { Words } from './words.ts'

// Before a colon stands a space that no line breaks at: U+00A0.
const notYou =
  "Si ce n'était pas vous, changez tout de suite votre mot de passe et votre PIN, et fermez toutes les autres sessions."

export const french: Words = {
  greeting: (name) => (name === '' ? 'Bonjour,' : `Bonjour ${name},`),
  colon: '\u00a0: ',
  footer: (brand) => `Vous recevez ce message parce que cette adresse appartient à un compte ${brand}.`,
  letters: {
    confirm_email: ({ code }, brand) => ({
      subject: `Confirmez votre adresse e-mail pour ${brand}`,
      opening: ['Saisissez ce code pour confirmer votre adresse e-mail\u00a0:'],
      code,
      closing: [
        `Ne donnez ce code à personne. ${brand} ne vous le demandera jamais.`,
        "Si vous ne l'avez pas demandé, vous n'avez rien à faire.",
      ],
    }),
    reset_password: ({ code }, brand) => ({
      subject: `Choisissez un nouveau mot de passe pour ${brand}`,
      opening: ['Saisissez ce code pour choisir un nouveau mot de passe\u00a0:'],
      code,
      closing: [
        `Ne donnez ce code à personne. ${brand} ne vous le demandera jamais.`,
        "Si vous ne l'avez pas demandé, vous n'avez rien à faire\u00a0: votre mot de passe reste le même.",
      ],
    }),
    new_device: ({ device, address, time }, brand) => ({
      subject: `Nouvel appareil sur votre compte ${brand}`,
      opening: ["Quelqu'un s'est connecté à votre compte depuis un appareil que nous ne connaissions pas."],
      facts: [
        ['Appareil', device],
        ['Adresse réseau', address],
        ['Date', time],
      ],
      closing: ["Si c'était vous, vous n'avez rien à faire.", notYou],
    }),
    pin_changed: ({ time, ended }, brand) => ({
      subject: `Votre PIN ${brand} a été changé`,
      opening: [
        ended
          ? 'Le PIN de votre compte a été changé, et toutes les autres sessions ont été fermées.'
          : 'Le PIN de votre compte a été changé.',
      ],
      facts: [['Date', time]],
      closing: ["Si c'était vous, vous n'avez rien à faire.", notYou],
    }),
    pin_locked: ({ time, disabled }, brand) => ({
      subject: `Votre PIN ${brand} est ${disabled ? 'désactivé' : 'bloqué'}`,
      opening: [
        `Un PIN erroné a été saisi trop de fois. Aucun argent n'a quitté votre portefeuille pour autant, et votre PIN est ${disabled ? 'désactivé définitivement' : 'bloqué'}.`,
      ],
      facts: [['Date', time]],
      closing: [
        disabled
          ? "Si c'était vous, choisissez un nouveau PIN avec votre mot de passe. Attendre ne rouvre pas l'ancien."
          : "Si c'était vous, attendez une demi-heure et réessayez, ou choisissez un nouveau PIN avec votre mot de passe.",
        notYou,
      ],
    }),
    password_changed: ({ time }, brand) => ({
      subject: `Votre mot de passe ${brand} a été changé`,
      opening: [
        'Le mot de passe de votre compte a été changé, et toutes les autres sessions ont été fermées.',
      ],
      facts: [['Date', time]],
      closing: [
        "Si c'était vous, vous n'avez rien à faire.",
        "Si ce n'était pas vous, demandez tout de suite un nouveau mot de passe sur la page de connexion.",
      ],
    }),
    email_changed: ({ time }, brand) => ({
      subject: `L'adresse e-mail de votre compte ${brand} a été changée`,
      opening: [
        'Une autre adresse e-mail a été enregistrée pour votre compte. Ses messages ne viendront plus à celle-ci.',
      ],
      facts: [['Date', time]],
      closing: ["Si c'était vous, vous n'avez rien à faire.", notYou],
    }),
    login_locked: ({ time }, brand) => ({
      subject: `La connexion à votre compte ${brand} est bloquée`,
      opening: [
        "Un mauvais mot de passe a été saisi un très grand nombre de fois. Votre argent est en sécurité : personne n'est entré, et le mot de passe n'ouvre plus rien.",
      ],
      facts: [['Date', time]],
      closing: [
        'Pour vous connecter à nouveau, demandez un code sur la page de connexion et choisissez un nouveau mot de passe.',
      ],
    }),
    session_revoked: ({ time }, brand) => ({
      subject: `Une session de votre compte ${brand} a été fermée`,
      opening: ['Nous avons fermé une session de votre compte pour le protéger.'],
      facts: [['Date', time]],
      closing: [
        'Reconnectez-vous pour continuer.',
        "Si vous ne l'avez pas fermée vous-même, changez tout de suite votre mot de passe\u00a0: quelqu'un d'autre l'a peut-être utilisée.",
      ],
    }),
    session_ended: ({ device, time }, brand) => ({
      subject: `Un appareil a été déconnecté de votre compte ${brand}`,
      opening: ['La session de cet appareil a été fermée depuis un autre appareil connecté à votre compte.'],
      facts: [
        ['Appareil', device],
        ['Date', time],
      ],
      closing: ["Si c'était vous, vous n'avez rien à faire.", notYou],
    }),
    account_frozen: (_data, brand) => ({
      subject: `Votre compte ${brand} est bloqué`,
      opening: [
        "Votre argent est en sécurité dans vos portefeuilles. Votre compte est bloqué\u00a0: aucun envoi ni retrait n'est possible.",
      ],
      closing: [`Contactez ${brand} pour en savoir la raison et ce qu'il faut faire.`],
    }),
    account_unfrozen: (_data, brand) => ({
      subject: `Votre compte ${brand} est de nouveau ouvert`,
      opening: [
        "Votre compte est de nouveau ouvert. Vous pouvez envoyer et retirer de l'argent comme avant.",
      ],
      closing: ["Vous n'avez rien à faire."],
    }),
    money_in: ({ amountText, from, reference, balanceText, time }) => ({
      subject: `Vous avez reçu ${amountText}`,
      opening: [`${amountText} sont arrivés dans votre portefeuille.`],
      facts: [
        ['De', from],
        ['Référence', reference],
        ['Nouveau solde', balanceText],
        ['Date', time],
      ],
      closing: ['Gardez la référence\u00a0: elle désigne ce paiement si vous avez une question.'],
    }),
    money_out: ({ amountText, to, feeText, reference, balanceText, time }) => ({
      subject: `Vous avez envoyé ${amountText}`,
      opening: [`${amountText} ont quitté votre portefeuille.`],
      facts: [
        ['À', to],
        ['Frais, prélevés dessus', feeText],
        ['Référence', reference],
        ['Nouveau solde', balanceText],
        ['Date', time],
      ],
      closing: ['Gardez la référence\u00a0: elle désigne ce paiement si vous avez une question.', notYou],
    }),
    withdrawal_done: ({ amountText, to, feeText, reference, balanceText, time }) => ({
      subject: `Vous avez retiré ${amountText}`,
      opening: [`${amountText} ont quitté votre portefeuille et sont arrivés chez votre opérateur.`],
      facts: [
        ['À', to],
        ['Frais, en plus', feeText],
        ['Référence', reference],
        ['Nouveau solde', balanceText],
        ['Date', time],
      ],
      closing: ['Gardez la référence\u00a0: elle désigne ce paiement si vous avez une question.', notYou],
    }),
    withdrawal_failed: ({ amountText, to, reference, time }) => ({
      subject: `Votre retrait de ${amountText} n'a pas abouti`,
      opening: [`Tout votre argent est de retour dans votre portefeuille\u00a0: ${amountText} et les frais.`],
      facts: [
        ['À', to],
        ['Référence', reference],
        ['Date', time],
      ],
      closing: ['Vérifiez le numéro et réessayez, ou choisissez un autre opérateur.'],
    }),
    money_request: ({ amountText, from, note }, brand) => ({
      subject: `${from} vous demande ${amountText}`,
      opening: [`${from} vous demande ${amountText}. Aucun argent n'a quitté votre portefeuille.`],
      ...(note ? { facts: [['Son message', `«\u00a0${note}\u00a0»`]] } : {}),
      closing: [
        `Ouvrez ${brand} pour payer ou refuser. Ne payez que si vous savez qui demande, et pourquoi.`,
      ],
    }),
    group_due_soon: ({ groupName, amountText, time }, brand) => ({
      subject: `${groupName} : ${amountText} à verser dans deux jours`,
      opening: [`Votre cotisation à ${groupName} arrive à échéance. Rien n'a quitté votre portefeuille.`],
      facts: [
        ['Montant', amountText],
        ['Échéance', time],
      ],
      closing: [`Ouvrez ${brand} pour payer. Un autre membre peut aussi payer pour vous.`],
    }),
    group_due_today: ({ groupName, amountText, time }, brand) => ({
      subject: `${groupName} : ${amountText} à verser aujourd'hui`,
      opening: [`Votre cotisation à ${groupName} est due aujourd'hui. Rien n'a quitté votre portefeuille.`],
      facts: [
        ['Montant', amountText],
        ['Échéance', time],
      ],
      closing: [`Ouvrez ${brand} pour payer. Un autre membre peut aussi payer pour vous.`],
    }),
    group_late: ({ groupName, amountText, time }, brand) => ({
      subject: `${groupName} : votre cotisation est en retard`,
      opening: [
        `Votre cotisation à ${groupName} n'est pas encore arrivée, et les autres l'attendent. Rien n'a quitté votre portefeuille.`,
      ],
      facts: [
        ['Montant', amountText],
        ['Était due', time],
      ],
      closing: [
        `Ouvrez ${brand} pour payer. Si vous ne pouvez pas payer maintenant, parlez à la présidence du groupe.`,
      ],
    }),
    group_proposal: ({ groupName, from, to, amountText, reason }, brand) => ({
      subject: `${groupName} : ${from} propose un versement de ${amountText}`,
      opening: [`Un versement de ${groupName} est proposé. Rien n'a quitté le groupe.`],
      facts: [
        ['Proposé par', from],
        ['À', to],
        ['Montant', amountText],
        ['Motif', `« ${reason} »`],
      ],
      closing: [
        `Ouvrez ${brand} pour approuver. Le versement se fait quand plus de la moitié des autres membres ont approuvé ; si vous n'êtes pas d'accord, vous n'avez rien à faire.`,
      ],
    }),
    merchant_approved: ({ businessName }, brand) => ({
      subject: `${businessName} peut recevoir des paiements avec ${brand}`,
      opening: [
        `Nous avons examiné ${businessName} : la demande est acceptée, et les paiements sont ouverts dès maintenant.`,
      ],
      closing: [
        `Ouvrez la rubrique Entreprise de ${brand} pour votre clé API et votre secret client de production. La clé API n'est montrée qu'une fois : gardez-la en lieu sûr.`,
        'Vos identifiants de test restent valables.',
      ],
    }),
    merchant_rejected: ({ businessName, reason }, brand) => ({
      subject: `${businessName} n'a pas été accepté`,
      opening: [`Nous avons examiné ${businessName} et n'avons pas encore pu accepter la demande.`],
      facts: [['Raison', reason]],
      closing: [`Vous pouvez y remédier et refaire la demande dans la rubrique Entreprise de ${brand}.`],
    }),
    merchant_suspended: ({ businessName, reason }, brand) => ({
      subject: `${businessName} est suspendu`,
      opening: [
        `L'argent de ${businessName} est en sécurité sur son compte. Aucun paiement n'est possible pour le moment, et ses clés API ne fonctionnent pas.`,
      ],
      facts: [['Raison', reason]],
      closing: [`Contactez ${brand} pour savoir que faire.`],
    }),
    merchant_reinstated: ({ businessName }) => ({
      subject: `${businessName} peut de nouveau recevoir des paiements`,
      opening: [
        `La suspension de ${businessName} est levée. Les paiements sont de nouveau ouverts, avec les mêmes clés API.`,
      ],
      closing: ["Vous n'avez rien à faire."],
    }),
    refund_failed: ({ businessName, amountText, reference, mode, time }, brand) => ({
      subject: `${businessName}\u00a0: un remboursement de ${amountText} a échoué`,
      opening: [
        `Le client n'a pas reçu les ${amountText} que ${businessName} lui a remboursés\u00a0: l'opérateur a refusé. L'argent est de retour sur le compte de l'entreprise.`,
      ],
      facts: [
        ['Paiement', reference],
        ['Mode', mode],
        ['Date', time],
      ],
      closing: [
        `La page du paiement, dans la rubrique Entreprise de ${brand}, en donne la raison. Remboursez ensuite une nouvelle fois, ou demandez au client comment lui rendre l'argent autrement.`,
      ],
    }),
    campaign_ended: ({ title, raisedText, goalText }, brand) => ({
      subject: `Votre collecte est terminée : ${title}`,
      opening: [
        "Sa durée est écoulée et plus personne ne peut contribuer. L'argent collecté est en sécurité sur son compte.",
      ],
      facts: [
        ['Collecté', raisedText],
        ['Objectif', goalText],
      ],
      closing: [
        `Vous pouvez retirer l'argent dans ${brand} à tout moment, et dire à vos contributeurs ce qu'il en est advenu.`,
      ],
    }),
    campaign_paused: ({ title, reason }, brand) => ({
      subject: `Votre collecte est en pause : ${title}`,
      opening: [
        "L'argent de votre collecte est en sécurité sur son compte. Pour le moment, personne ne peut contribuer et rien ne peut être retiré.",
      ],
      facts: [['Raison', reason]],
      closing: [`Contactez ${brand} pour savoir que faire.`],
    }),
    campaign_resumed: ({ title }) => ({
      subject: `Votre collecte continue : ${title}`,
      opening: [
        "La pause de votre collecte est levée. On peut de nouveau contribuer, et vous pouvez retirer de l'argent.",
      ],
      closing: ["Vous n'avez rien à faire."],
    }),
    campaign_returning: ({ title, reason }, brand) => ({
      subject: `Votre collecte est fermée : ${title}`,
      opening: ["Ce qui se trouve sur le compte de votre collecte est rendu aux personnes qui l'ont donné."],
      facts: [['Raison', reason]],
      closing: [`Si vous pensez que c'est une erreur, contactez ${brand}.`],
    }),
    campaign_returned: ({ title, reason, amountText, reference }) => ({
      subject: `Votre contribution vous est rendue : ${title}`,
      opening: ['La collecte a été fermée, et votre contribution est de retour dans votre portefeuille.'],
      facts: [
        ['Montant', amountText],
        ['Raison', reason],
        ['Référence', reference],
      ],
      closing: ["Vous n'avez rien à faire."],
    }),
    notification_trouble: ({ businessName, url, time }, brand) => ({
      subject: `${businessName} : une notification n'a pas pu être remise`,
      opening: [
        "Les paiements eux-mêmes ne sont pas touchés. Nous n'avons pas pu informer votre serveur de l'un d'eux, et nous continuons d'essayer.",
      ],
      facts: [
        ['Adresse', url],
        ['En échec depuis', time],
      ],
      closing: [
        `Chaque essai est visible sous Notifications, dans la rubrique Entreprise de ${brand}. Quand votre serveur fonctionnera de nouveau, vous pourrez les faire envoyer aussitôt.`,
      ],
    }),
    notification_suspended: ({ businessName, url, time }, brand) => ({
      subject: `${businessName} : les notifications sont en pause`,
      opening: [
        `Les paiements eux-mêmes ne sont pas touchés. Votre serveur n'a renvoyé que des échecs : nous avons cessé de lui envoyer des notifications. Celles qui devaient partir sont gardées.`,
      ],
      facts: [
        ['Adresse', url],
        ['En pause depuis', time],
      ],
      closing: [
        `Quand votre serveur fonctionnera de nouveau, faites envoyer les notifications gardées dans la rubrique Entreprise de ${brand}.`,
      ],
    }),
    notification_gone: ({ businessName, url, time }, brand) => ({
      subject: `${businessName} : les notifications sont en pause`,
      opening: [
        `Les paiements eux-mêmes ne sont pas touchés. Votre serveur a répondu que cette adresse n'existe plus : nous avons cessé de lui envoyer des notifications. Celles qui devaient partir sont gardées.`,
      ],
      facts: [
        ['Adresse', url],
        ['En pause depuis', time],
      ],
      closing: [
        `Quand votre serveur fonctionnera de nouveau, faites envoyer les notifications gardées dans la rubrique Entreprise de ${brand}.`,
      ],
    }),
  },
}
