import type { Words } from './words.ts'

export const kiswahili: Words = {
  language: 'Kiswahili',
  skip: 'Nenda kwenye malipo',
  languages: 'Lugha',
  testMode: 'TEST MODE',
  testText: 'Majaribio: hakuna pesa halisi.',
  pay: (merchant) => `Lipa ${merchant}`,
  order: 'Oda yako',
  minutesLeft: { one: 'Umebakiwa na dakika {n} kulipa', other: 'Umebakiwa na dakika {n} kulipa' },
  underAMinute: 'Umebakiwa na chini ya dakika moja kulipa',
  orderNumber: 'Namba ya oda',
  safety: ({ merchant, brand }) =>
    `${brand} inashughulikia malipo haya. ${merchant} haioni nenosiri wala PIN yako.`,

  how: 'Ungependa kulipa vipi?',
  wallet: (brand) => `Pochi ya ${brand}`,
  walletHint: 'Ingia, kisha thibitisha kwa PIN yako.',
  name: 'Namba ya simu, barua pepe au jina la akaunti',
  nameHint: 'Kama unavyoingia kila siku, mfano +256\u00a0770\u00a0123\u00a0456 au @amina',
  password: 'Nenosiri',
  goOn: 'Endelea',
  goingOn: 'Inaingia…',
  testCustomers: 'Wateja wa majaribio',
  testPays: 'ana pesa za kutosha',
  testPoor: 'hana pesa',

  confirm: 'Thibitisha malipo',
  payingAs: 'Unalipa kama',
  notYou: 'Si wewe? Toka',
  payTo: 'Kwenda kwa',
  from: 'Kutoka',
  walletIn: (currency) => `Pochi ya ${currency}`,
  balance: 'Salio',
  balanceAfter: 'Salio baada ya kulipa',
  endless: 'Pesa za majaribio zisizoisha',
  fee: 'Ada',
  noFee: 'Hakuna',
  pin: 'PIN yako',
  pinHint: 'Tarakimu 4 hadi 6',
  payAmount: (amount) => `Lipa ${amount}`,
  paying: 'Inalipa…',
  lookAgain: 'Angalia tena',
  otherWallet: 'Tumia pochi nyingine',

  cancel: 'Ghairi malipo',
  cancelTitle: 'Ungependa kughairi malipo haya?',
  cancelText: (merchant) =>
    `Hakuna pesa iliyotoka kwenye pochi yako. ${merchant} itajulishwa kuwa umeghairi.`,
  cancelYes: 'Ndiyo, ghairi',
  cancelNo: 'Hapana, endelea kulipa',

  paidTitle: 'Umelipa',
  paidOther: {
    title: 'Malipo haya yameshafanyika',
    mine: 'Hakuna pesa iliyotoka kwenye pochi yako.',
    text: 'Yameshalipwa. Hakuna kilichobaki kufanya.',
  },
  refundedTitle: 'Pesa zimerudishwa',
  refundedText: 'Pesa zimerudi zilikotoka.',
  reference: 'Namba ya kumbukumbu',
  keep: 'Taja namba hii ukiuliza kuhusu malipo haya.',
  amount: 'Kiasi',
  forWhat: 'Maelezo',
  time: 'Wakati',
  balanceNow: 'Salio sasa',
  returnTo: (merchant) => `Rudi ${merchant}`,
  forward: { one: 'Utarudishwa baada ya sekunde {n}.', other: 'Utarudishwa baada ya sekunde {n}.' },
  stay: 'Baki hapa',
  close: 'Unaweza kufunga ukurasa huu.',
  print: 'Chapisha',
  share: 'Tuma',
  shareText: ({ amount, merchant, reference }) =>
    `${amount} zimelipwa kwa ${merchant}. Kumbukumbu ${reference}`,

  waiting: {
    title: 'Tunaangalia malipo yako',
    money: 'Bado hatujui kama yamefanikiwa.',
    why: 'Tafadhali usilipe tena. Ukurasa huu utaonyesha matokeo mara tu yatakapojulikana.',
  },
  suspended: (merchant) => ({
    title: `${merchant} haiwezi kupokea malipo kwa sasa`,
    money: 'Hakuna pesa iliyotoka kwenye pochi yako.',
    next: 'Uliza biashara hiyo njia nyingine ya kulipa.',
  }),
  failed: {
    cancelled_by_customer: {
      title: 'Malipo yameghairiwa',
      money: 'Hakuna pesa iliyotoka kwenye pochi yako.',
      why: 'Malipo yalighairiwa hapa.',
    },
    expired: {
      title: 'Muda wa malipo haya umekwisha',
      money: 'Hakuna pesa iliyotoka kwenye pochi yako.',
      why: 'Hayakulipwa kwa wakati.',
    },
    declined: {
      title: 'Malipo hayakufaulu',
      money: 'Hakuna pesa iliyotoka kwenye pochi yako.',
      why: 'Yamekataliwa mara nyingi mno.',
    },
    insufficient_balance: {
      title: 'Malipo hayakufaulu',
      money: 'Hakuna pesa iliyotoka kwenye pochi yako.',
      why: 'Pesa hazikutosha.',
    },
    other: { title: 'Malipo hayakufaulu', money: 'Hakuna pesa iliyotoka kwenye pochi yako.' },
  },
  startAgain: (merchant) => `Ili kujaribu tena, rudi ${merchant} uanze malipo mapya.`,

  problems: {
    login_wrong: 'Jina au nenosiri si sahihi. Hakikisha yote mawili, kisha ujaribu tena.',
    login_incomplete: 'Jaza sehemu zote mbili.',
    login_often: 'Umekosea mara nyingi mno. Subiri dakika 15, kisha ujaribu tena.',
    login_over: 'Umetolewa ili kulinda pochi yako. Hakuna pesa iliyotoka. Ingia tena ili ulipe.',
    wallet_off:
      'Baada ya kukosea mara tano, malipo haya hayawezi kufanywa kwa pochi tena. Hakuna pesa iliyotoka.',
    pin_form: 'PIN ina tarakimu 4 hadi 6.',
    pin_wrong: 'PIN si sahihi. Hakuna pesa iliyotoka kwenye pochi yako.',
    pin_locked:
      'PIN yako imefungwa baada ya kukosewa mara nyingi mno. Hakuna pesa iliyotoka kwenye pochi yako. Subiri dakika 30, au weka PIN mpya kwa nenosiri lako.',
    pin_not_set: 'Pochi yako haina PIN bado. Weka PIN kwenye akaunti yako, kisha rudi kwenye ukurasa huu.',
    frozen:
      'Akaunti yako imesimamishwa, kwa hiyo haiwezi kulipa. Pesa zako ziko salama. Wasiliana nasi kujua sababu.',
    too_little: 'Pesa kwenye pochi hii hazitoshi.',
    declined: 'Pesa kwenye pochi hii hazitoshi. Hakuna pesa iliyotoka.',
    form_old: 'Ukurasa huu ulikuwa wazi kwa muda mrefu mno. Hakuna pesa iliyotoka. Tafadhali jaribu tena.',
  },
  attemptsLeft: { one: 'Umebakiwa na jaribio {n}.', other: 'Umebakiwa na majaribio {n}.' },
  troubles: {
    missing: {
      title: 'Hakuna malipo hapa',
      why: 'Kiungo si sahihi, au ni cha zamani mno.',
      next: 'Rudi ulikotaka kulipa, kisha uanze tena huko.',
    },
    often: {
      title: 'Maombi mengi mno',
      why: 'Ukurasa huu umeombwa mara nyingi mno.',
      next: 'Subiri dakika moja, kisha uangalie tena.',
    },
    away: {
      title: 'Huduma haipatikani kwa sasa',
      next: 'Subiri kidogo, kisha uangalie tena. Ukurasa huu utaonyesha hali ya malipo.',
    },
    unreadable: {
      title: 'Haikuweza kusomeka',
      money: 'Hakuna kilicholipwa.',
      next: 'Rudi kwenye malipo, kisha ujaribu tena.',
    },
    broken: {
      title: 'Kuna hitilafu upande wetu',
      next: 'Angalia tena: ukurasa utaonyesha hali ya malipo.',
    },
  },
  backToPayment: 'Rudi kwenye malipo',
}
