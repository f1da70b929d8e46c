import type { Words } from './words.ts'

// Before a colon or a question mark stands a space that no line breaks at: U+00A0.
export const french: Words = {
  language: 'Français',
  skip: 'Aller au paiement',
  languages: 'Langue',
  testMode: 'TEST MODE',
  testText: 'Aucun argent réel ne circule.',
  pay: (merchant) => `Payer ${merchant}`,
  order: 'Votre commande',
  minutesLeft: { one: 'Il reste {n} minute pour payer', other: 'Il reste {n} minutes pour payer' },
  underAMinute: 'Il reste moins d’une minute pour payer',
  orderNumber: 'Numéro de commande',
  safety: ({ merchant, brand }) =>
    `${brand} s’occupe de ce paiement. ${merchant} ne voit jamais votre mot de passe ni votre PIN.`,

  how: 'Comment voulez-vous payer\u00a0?',
  wallet: (brand) => `Portefeuille ${brand}`,
  walletHint: 'Connectez-vous, puis confirmez avec votre PIN.',
  name: 'Téléphone, e-mail ou identifiant',
  nameHint: 'Comme pour vous connecter, par exemple +256\u00a0770\u00a0123\u00a0456 ou @amina',
  password: 'Mot de passe',
  goOn: 'Continuer',
  goingOn: 'Connexion…',
  testCustomers: 'Clients de test',
  testPays: 'a assez d’argent',
  testPoor: 'n’a rien',

  confirm: 'Confirmez le paiement',
  payingAs: 'Compte',
  notYou: 'Ce n’est pas vous\u00a0? Se déconnecter',
  payTo: 'À',
  from: 'Depuis',
  walletIn: (currency) => `Portefeuille ${currency}`,
  balance: 'Solde',
  balanceAfter: 'Solde après paiement',
  endless: 'Argent de test, sans limite',
  fee: 'Frais',
  noFee: 'Aucuns',
  pin: 'Votre PIN',
  pinHint: '4 à 6 chiffres',
  payAmount: (amount) => `Payer ${amount}`,
  paying: 'Paiement…',
  lookAgain: 'Actualiser',
  otherWallet: 'Utiliser un autre portefeuille',

  cancel: 'Annuler le paiement',
  cancelTitle: 'Annuler ce paiement\u00a0?',
  cancelText: (merchant) =>
    `Aucun argent n’a quitté votre portefeuille. ${merchant} saura que vous avez annulé.`,
  cancelYes: 'Oui, annuler',
  cancelNo: 'Non, continuer',

  paidTitle: 'Payé',
  paidOther: {
    title: 'Ce paiement a déjà été fait',
    mine: 'Aucun argent n’a quitté votre portefeuille.',
    text: 'Quelqu’un l’a payé. Il n’y a plus rien à faire.',
  },
  refundedTitle: 'Remboursé',
  refundedText: 'L’argent est retourné d’où il venait.',
  reference: 'Référence',
  keep: 'Donnez cette référence pour toute question sur ce paiement.',
  amount: 'Montant',
  forWhat: 'Pour',
  time: 'Date',
  balanceNow: 'Nouveau solde',
  returnTo: (merchant) => `Retourner chez ${merchant}`,
  forward: { one: 'Retour dans {n} seconde.', other: 'Retour dans {n} secondes.' },
  stay: 'Rester ici',
  close: 'Vous pouvez fermer cette page.',
  print: 'Imprimer',
  share: 'Partager',
  shareText: ({ amount, merchant, reference }) => `${amount} payés à ${merchant}. Référence ${reference}`,

  waiting: {
    title: 'Nous vérifions votre paiement',
    money: 'Nous ne savons pas encore s’il a abouti.',
    why: 'Merci de ne pas payer une seconde fois. Cette page affichera le résultat dès qu’il sera connu.',
  },
  suspended: (merchant) => ({
    title: `${merchant} ne peut pas encaisser pour le moment`,
    money: 'Aucun argent n’a quitté votre portefeuille.',
    next: 'Demandez au commerçant comment payer autrement.',
  }),
  failed: {
    cancelled_by_customer: {
      title: 'Paiement annulé',
      money: 'Aucun argent n’a quitté votre portefeuille.',
      why: 'Le paiement a été annulé ici.',
    },
    expired: {
      title: 'Ce paiement a expiré',
      money: 'Aucun argent n’a quitté votre portefeuille.',
      why: 'Il n’a pas été fait à temps.',
    },
    declined: {
      title: 'Paiement échoué',
      money: 'Aucun argent n’a quitté votre portefeuille.',
      why: 'Il a été refusé trop de fois.',
    },
    insufficient_balance: {
      title: 'Paiement échoué',
      money: 'Aucun argent n’a quitté votre portefeuille.',
      why: 'Il n’y avait pas assez d’argent.',
    },
    other: { title: 'Paiement échoué', money: 'Aucun argent n’a quitté votre portefeuille.' },
  },
  startAgain: (merchant) => `Pour réessayer, retournez chez ${merchant} et recommencez le paiement.`,

  problems: {
    login_wrong: 'Le nom ou le mot de passe est faux. Vérifiez les deux et réessayez.',
    login_incomplete: 'Remplissez les deux champs.',
    login_often: 'Trop d’essais erronés. Attendez 15 minutes, puis réessayez.',
    login_over:
      'Vous avez été déconnecté pour protéger votre portefeuille. Aucun argent ne l’a quitté. Reconnectez-vous pour payer.',
    wallet_off:
      'Après cinq connexions erronées, ce paiement ne peut plus se faire depuis un portefeuille. Aucun argent n’a circulé.',
    pin_form: 'Le PIN a 4 à 6 chiffres.',
    pin_wrong: 'Le PIN est faux. Aucun argent n’a quitté votre portefeuille.',
    pin_locked:
      'Votre PIN est bloqué après trop d’essais erronés. Aucun argent n’a quitté votre portefeuille. Attendez 30 minutes, ou choisissez un nouveau PIN avec votre mot de passe.',
    pin_not_set:
      'Votre portefeuille n’a pas encore de PIN. Choisissez-en un dans votre compte, puis revenez sur cette page.',
    frozen:
      'Votre compte est bloqué et ne peut pas payer. Votre argent est en sécurité. Contactez-nous pour en savoir la raison.',
    too_little: 'Il n’y a pas assez d’argent dans ce portefeuille.',
    declined: 'Il n’y a pas assez d’argent dans ce portefeuille. Aucun argent ne l’a quitté.',
    form_old: 'Cette page est restée ouverte trop longtemps. Aucun argent n’a circulé. Réessayez.',
  },
  attemptsLeft: { one: 'Il reste {n} essai.', other: 'Il reste {n} essais.' },
  troubles: {
    missing: {
      title: 'Il n’y a pas de paiement ici',
      why: 'Le lien est faux, ou trop ancien.',
      next: 'Retournez là où vous vouliez payer, et recommencez.',
    },
    often: {
      title: 'Trop de demandes',
      why: 'Cette page a été demandée trop souvent.',
      next: 'Attendez une minute, puis actualisez.',
    },
    away: {
      title: 'Le service ne répond pas pour le moment',
      next: 'Attendez un instant, puis actualisez. Cette page montrera où en est le paiement.',
    },
    unreadable: {
      title: 'Illisible',
      money: 'Rien n’a été payé.',
      next: 'Retournez au paiement et réessayez.',
    },
    broken: {
      title: 'Une erreur s’est produite chez nous',
      next: 'Actualisez\u00a0: la page montrera où en est le paiement.',
    },
  },
  backToPayment: 'Retour au paiement',
}
