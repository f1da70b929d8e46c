import type { Locale } from '../../base/money.ts'

export interface VerifyWords {
  language: string
  languages: string
  title: string
  lead: string
  paper: string
  paperHint: string
  head: string
  headHint: string
  orFile: string
  check: string
  needsScript: string
  /** For the script, as `data-…`. */
  found: Record<
    'good' | 'bad' | 'alone' | 'withHead' | 'draw' | 'drawText' | 'insecure' | 'unreadable',
    string
  > &
    Record<'entry' | 'amount' | 'balance' | 'time' | 'details' | 'headName', string>
}

export const verifyWords: Record<Locale, VerifyWords> = {
  en: {
    language: 'English',
    languages: 'Languages',
    title: 'Check a receipt',
    lead: 'Check for yourself that nothing in the account of your savings group was altered. It happens in this browser: what you paste here is sent to nobody.',
    paper: 'Receipt, or round',
    paperHint: 'Paste the receipt of an entry, or a round whose order was drawn.',
    head: 'Head (if you have one)',
    headHint: 'One that you kept earlier, or that another member gave you. With it the receipt proves more.',
    orFile: 'Or choose a file',
    check: 'Check',
    needsScript:
      'This page does its work in your browser and needs JavaScript. Without it, use npm run verify-receipt.',
    found: {
      good: 'The receipt holds',
      bad: 'Refused',
      alone: 'The entry leads to the head below. Compare that with one that another member has.',
      withHead: 'The entry leads to the head that you have: nothing in between was altered.',
      draw: 'The order holds',
      drawText: 'The seed is the one that was announced, and the order is the one that was drawn with it.',
      insecure: 'This browser checks only pages that were opened by https, or on this machine.',
      unreadable: 'This is not JSON. Paste the whole answer, from the first brace to the last.',
      entry: 'Entry',
      amount: 'Amount',
      balance: 'In the pot afterwards',
      time: 'Time',
      details: 'What it says',
      headName: 'Head',
    },
  },
  sw: {
    language: 'Kiswahili',
    languages: 'Lugha',
    title: 'Kagua risiti',
    lead: 'Kagua mwenyewe kwamba hakuna kilichobadilishwa kwenye akaunti ya kikundi chako cha akiba. Ukaguzi unafanyika kwenye kivinjari hiki: unachobandika hapa hakitumwi kwa mtu yeyote.',
    paper: 'Risiti, au mzunguko',
    paperHint: 'Bandika risiti ya ingizo, au mzunguko ambao mpangilio wake ulipigiwa kura.',
    head: 'Kichwa cha akaunti (kama unacho)',
    headHint:
      'Ulichokihifadhi awali, au ulichopewa na mwanachama mwingine. Kikiwepo, risiti inathibitisha zaidi.',
    orFile: 'Au chagua faili',
    check: 'Kagua',
    needsScript:
      'Ukurasa huu unafanya kazi kwenye kivinjari chako na unahitaji JavaScript. Bila hiyo, tumia npm run verify-receipt.',
    found: {
      good: 'Risiti ni sahihi',
      bad: 'Imekataliwa',
      alone: 'Ingizo linafika kwenye kichwa kilicho hapa chini. Kilinganishe na cha mwanachama mwingine.',
      withHead: 'Ingizo linafika kwenye kichwa ulicho nacho: hakuna kilichobadilishwa katikati.',
      draw: 'Mpangilio ni sahihi',
      drawText: 'Mbegu ni ile iliyotangazwa, na mpangilio ni ule uliotokana nayo.',
      insecure: 'Kivinjari hiki hukagua kurasa zilizofunguliwa kwa https tu, au kwenye mashine hii.',
      unreadable: 'Hii si JSON. Bandika jibu lote, kutoka mabano ya kwanza hadi ya mwisho.',
      entry: 'Ingizo',
      amount: 'Kiasi',
      balance: 'Kilichobaki kwenye kikundi',
      time: 'Wakati',
      details: 'Linasema',
      headName: 'Kichwa cha akaunti',
    },
  },
  fr: {
    language: 'Français',
    languages: 'Langues',
    title: 'Vérifier un reçu',
    lead: "Vérifiez vous-même que rien n'a été modifié dans le compte de votre groupe d'épargne. Tout se passe dans ce navigateur : ce que vous collez ici n'est envoyé à personne.",
    paper: 'Reçu, ou tour',
    paperHint: "Collez le reçu d'une écriture, ou un tour dont l'ordre a été tiré au sort.",
    head: 'Tête du compte (si vous en avez une)',
    headHint:
      "Celle que vous avez gardée, ou qu'un autre membre vous a donnée. Avec elle, le reçu prouve davantage.",
    orFile: 'Ou choisissez un fichier',
    check: 'Vérifier',
    needsScript:
      'Cette page travaille dans votre navigateur et a besoin de JavaScript. Sans cela, utilisez npm run verify-receipt.',
    found: {
      good: 'Le reçu est juste',
      bad: 'Refusé',
      alone: "L'écriture mène à la tête ci-dessous. Comparez-la avec celle d'un autre membre.",
      withHead: "L'écriture mène à la tête que vous avez : rien n'a été modifié entre les deux.",
      draw: "L'ordre est juste",
      drawText: "La graine est celle qui a été annoncée, et l'ordre est celui qu'elle a donné.",
      insecure: 'Ce navigateur ne vérifie que les pages ouvertes par https, ou sur cette machine.',
      unreadable: "Ce n'est pas du JSON. Collez toute la réponse, de la première accolade à la dernière.",
      entry: 'Écriture',
      amount: 'Montant',
      balance: 'Dans la caisse ensuite',
      time: 'Date',
      details: 'Ce qui est écrit',
      headName: 'Tête du compte',
    },
  },
}
