// What is said of a wrong field, in the other languages. The English is what the rooms write, and stays as it is: it finds
// its row. A field stands beside its message, so the other languages need no name for it, whose gender or class every
// sentence would have to follow. More special rows come first.
import type { Row } from '../error-language.ts'

/** The end of a sentence that begins with the name of the field. */
export const predicates: readonly Row[] = [
  ['is required', 'Sehemu hii inahitajika', 'Ce champ est obligatoire'],
  ['is required for a rotating group', 'Inahitajika kwa kikundi cha zamu', 'Obligatoire pour une tontine'],
  [
    'is required for a goal group',
    'Inahitajika kwa kikundi chenye lengo',
    'Obligatoire pour un groupe avec objectif',
  ],
  [
    'is required, since the business has no address of its own',
    'Inahitajika, kwa kuwa biashara haina anwani yake',
    'Obligatoire, car l’entreprise n’a pas d’adresse enregistrée',
  ],
  ['is needed for {n}', 'Inahitajika kwa {n}', 'Nécessaire pour {n}'],
  [
    'or phone is required',
    'Barua pepe au simu inahitajika',
    'Une adresse e-mail ou un téléphone est obligatoire',
  ],
  ['is taken', 'Tayari inatumiwa na mwingine', 'Déjà utilisé par quelqu’un d’autre'],
  ['is reserved', 'Imehifadhiwa; chagua nyingine', 'Réservé ; choisissez autre chose'],
  ['is wrong', 'Si sahihi', 'Incorrect'],
  [
    'is wrong or has expired; ask for a new one',
    'Si sahihi au muda wake umekwisha; omba mpya',
    'Incorrect ou expiré ; demandez-en un nouveau',
  ],
  ['is too easy to guess', 'Ni rahisi mno kukisiwa', 'Trop facile à deviner'],
  [
    'is too easy to guess: take more words, or other ones',
    'Ni rahisi mno kukisiwa: tumia maneno zaidi, au mengine',
    'Trop facile à deviner : prenez plus de mots, ou d’autres',
  ],
  [
    'is not one that this list gave out; start again without it',
    'Haikutolewa na orodha hii; anza upya bila hiyo',
    'Ne vient pas de cette liste ; recommencez sans cette valeur',
  ],
  [
    'is not a position that this list gave out; start again without it',
    'Nafasi hii haikutolewa na orodha hii; anza upya bila hiyo',
    'Cette position ne vient pas de cette liste ; recommencez sans elle',
  ],
  ['is beyond the latest entry', 'Imepita ingizo la mwisho', 'Au-delà de la dernière écriture'],
  [
    'is more than the {n} you can spend',
    'Ni zaidi ya {n} unazoweza kutumia',
    'Dépasse les {n} dont vous disposez',
  ],
  [
    'is more than the {n} that the business has',
    'Ni zaidi ya {n} ambazo biashara inazo',
    'Dépasse les {n} dont l’entreprise dispose',
  ],
  [
    'is more than the {n} that this campaign holds',
    'Ni zaidi ya {n} zilizomo katika mchango huu',
    'Dépasse les {n} que contient cette collecte',
  ],
  [
    'is required to move the website, to add hosts or to change the allowed addresses',
    'Inahitajika ili kuhamisha tovuti, kuongeza seva au kubadilisha anwani zinazoruhusiwa',
    'Obligatoire pour déplacer le site web, ajouter des hôtes ou changer les adresses autorisées',
  ],
  [
    'can not be changed any more: somebody has contributed to it',
    'Haiwezi kubadilishwa tena: kuna aliyekwisha kuchangia',
    'Ne peut plus être modifié : quelqu’un a déjà contribué',
  ],
  [
    'does not serve a deposit in {word}; choose one of {n}',
    'Haifai kuweka pesa za {1}; chagua mojawapo ya: {2}',
    'Ne convient pas à un dépôt en {1} ; choisissez parmi : {2}',
  ],
  [
    'does not serve a withdrawal in {word}; choose one of {n}',
    'Haifai kutoa pesa za {1}; chagua mojawapo ya: {2}',
    'Ne convient pas à un retrait en {1} ; choisissez parmi : {2}',
  ],
  [
    'does not serve a deposit in {word}; there is none for a deposit in {word} yet',
    'Bado hakuna njia ya kuweka pesa za {1}',
    'Il n’y a pas encore de moyen pour un dépôt en {1}',
  ],
  [
    'does not serve a withdrawal in {word}; there is none for a withdrawal in {word} yet',
    'Bado hakuna njia ya kutoa pesa za {1}',
    'Il n’y a pas encore de moyen pour un retrait en {1}',
  ],
  ['has a wrong form', 'Muundo si sahihi', 'Le format est incorrect'],
  ['has too many digits', 'Ina tarakimu nyingi mno', 'Comporte trop de chiffres'],
  ['must be text', 'Lazima iwe maandishi', 'Doit être du texte'],
  ['must be a number', 'Lazima iwe nambari', 'Doit être un nombre'],
  ['must be a whole number', 'Lazima iwe nambari kamili', 'Doit être un nombre entier'],
  ['must be true or false', 'Lazima iwe true au false', 'Doit être true ou false'],
  ['must be a list', 'Lazima iwe orodha', 'Doit être une liste'],
  ['must be an object', 'Lazima iwe kitu cha JSON', 'Doit être un objet JSON'],
  ['must be of another type', 'Lazima iwe ya aina nyingine', 'Doit être d’un autre type'],
  ['must be a number, like {n}', 'Lazima iwe nambari, kama {n}', 'Doit être un nombre, comme {n}'],
  ['must not be empty', 'Isiachwe wazi', 'Ne doit pas être vide'],
  ['must say something', 'Andika kitu', 'Doit dire quelque chose'],
  [
    'must have {word} to {word} characters, and none that can not be shown',
    'Lazima iwe na herufi {1} hadi {2}, zote zinazoonekana',
    'Doit comporter de {1} à {2} caractères, tous affichables',
  ],
  [
    'must have {word} to {word} characters on one line',
    'Lazima iwe na herufi {1} hadi {2} kwenye mstari mmoja',
    'Doit comporter de {1} à {2} caractères sur une seule ligne',
  ],
  [
    'must have {word} to {word} visible characters, and no spaces',
    'Lazima iwe na herufi {1} hadi {2} zinazoonekana, bila nafasi',
    'Doit comporter de {1} à {2} caractères visibles, sans espaces',
  ],
  [
    'must have {word} to {word} visible ASCII characters, and no spaces',
    'Lazima iwe na herufi {1} hadi {2} za ASCII zinazoonekana, bila nafasi',
    'Doit comporter de {1} à {2} caractères ASCII visibles, sans espaces',
  ],
  [
    'must have {word} to {word} letters, digits, spaces, slashes, points or hyphens',
    'Lazima iwe na herufi {1} hadi {2}: herufi, tarakimu, nafasi, mkwaju, nukta au kistari',
    'Doit comporter de {1} à {2} lettres, chiffres, espaces, barres, points ou traits d’union',
  ],
  [
    'must have {word} to {word} letters a-z, digits or underscores, and start with a letter',
    'Lazima iwe na herufi {1} hadi {2}: a-z, tarakimu au _, na ianze kwa herufi',
    'Doit comporter de {1} à {2} lettres a-z, chiffres ou tirets bas, et commencer par une lettre',
  ],
  [
    'must have at most {word} characters, and none that can not be shown',
    'Isizidi herufi {1}, zote zinazoonekana',
    'Ne doit pas dépasser {1} caractères, tous affichables',
  ],
  [
    'must have at least {word} characters',
    'Lazima iwe na herufi zisizopungua {1}',
    'Doit comporter au moins {1} caractères',
  ],
  ['must have at most {word} characters', 'Isizidi herufi {1}', 'Ne doit pas dépasser {1} caractères'],
  ['must have at least 1 entry', 'Lazima iwe na angalau ingizo moja', 'Doit comporter au moins une entrée'],
  ['must have at most 1 entry', 'Isizidi ingizo moja', 'Ne doit pas dépasser une entrée'],
  [
    'must have at least {word} entries',
    'Lazima iwe na maingizo yasiyopungua {1}',
    'Doit comporter au moins {1} entrées',
  ],
  ['must have at most {word} entries', 'Isizidi maingizo {1}', 'Ne doit pas dépasser {1} entrées'],
  [
    'must have at least one letter',
    'Lazima iwe na angalau herufi moja',
    'Doit comporter au moins une lettre',
  ],
  [
    'must have an exponent from {word} to {word}',
    'Kipeo lazima kiwe kati ya {1} na {2}',
    'L’exposant doit être compris entre {1} et {2}',
  ],
  [
    'must have no spaces, backslashes or characters that need encoding',
    'Isiwe na nafasi, mkwaju wa nyuma au herufi zinazohitaji kusimbwa',
    'Ne doit contenir ni espace, ni barre oblique inverse, ni caractère à encoder',
  ],
  [
    'must have no user name or password in it',
    'Isiwe na jina la mtumiaji au nenosiri ndani yake',
    'Ne doit contenir ni nom d’utilisateur ni mot de passe',
  ],
  [
    'must not have control characters',
    'Isiwe na herufi za udhibiti zisizoonekana',
    'Ne doit pas contenir de caractères de contrôle',
  ],
  [
    'must be at least {word} in a rotating group',
    'Lazima iwe angalau {1} katika kikundi cha zamu',
    'Doit être d’au moins {1} dans une tontine',
  ],
  [
    'must be at least {word} and at most {word}',
    'Lazima iwe kati ya {1} na {2}',
    'Doit être compris entre {1} et {2}',
  ],
  ['must be at most {n} at once', 'Isizidi {n} kwa mara moja', 'Ne doit pas dépasser {n} en une fois'],
  [
    'must be at most {n}: that is all that is owed',
    'Isizidi {n}: hilo ndilo deni lote',
    'Ne doit pas dépasser {n} : c’est tout ce qui est dû',
  ],
  [
    'must be a whole number of {word}',
    'Lazima iwe nambari kamili ya {1}',
    'Doit être un nombre entier de {1}',
  ],
  [
    'must have at most {word} decimal places in {word}',
    'Isizidi tarakimu {1} baada ya nukta kwa {2}',
    'Ne doit pas avoir plus de {1} décimales en {2}',
  ],
  ['must be at least {n}', 'Lazima iwe angalau {n}', 'Doit être d’au moins {n}'],
  ['must be at most {n}', 'Isizidi {n}', 'Ne doit pas dépasser {n}'],
  ['must be greater than {word}', 'Lazima izidi {1}', 'Doit être supérieur à {1}'],
  ['must be less than {word}', 'Lazima iwe chini ya {1}', 'Doit être inférieur à {1}'],
  [
    'must not be more than what was paid and not yet refunded',
    'Isizidi kilicholipwa ambacho bado hakijarudishwa',
    'Ne doit pas dépasser ce qui a été payé et n’est pas encore remboursé',
  ],
  [
    'must not be more than what is in the merchant account',
    'Isizidi kilichomo katika akaunti ya biashara',
    'Ne doit pas dépasser ce que contient le compte de l’entreprise',
  ],
  [
    'must be in whole shillings for M-Pesa',
    'Lazima iwe shilingi kamili kwa M-Pesa',
    'Doit être en shillings entiers pour M-Pesa',
  ],
  [
    'must be whole for Airtel Money',
    'Lazima iwe kamili kwa Airtel Money',
    'Doit être entier pour Airtel Money',
  ],
  ['must be more than its fee', 'Lazima izidi ada yake', 'Doit dépasser les frais'],
  ['must be one of {n}', 'Lazima iwe mojawapo ya: {n}', 'Doit être l’une de ces valeurs : {n}'],
  ['must be 4 to 6 digits', 'Lazima iwe tarakimu 4 hadi 6', 'Doit comporter de 4 à 6 chiffres'],
  [
    'must be a handle, like amina or @amina',
    'Lazima iwe jina la mtumiaji, kama amina au @amina',
    'Doit être un identifiant, comme amina ou @amina',
  ],
  ['must be a day, like {n}', 'Lazima iwe siku, kama {n}', 'Doit être un jour, comme {n}'],
  [
    'must be a day like {word} or a time like {word}',
    'Lazima iwe siku kama {1} au wakati kama {2}',
    'Doit être un jour comme {1} ou une heure comme {2}',
  ],
  ['must be a time like {word}', 'Lazima iwe wakati kama {1}', 'Doit être une heure comme {1}'],
  ['must be a day of the calendar', 'Lazima iwe siku ya kalenda', 'Doit être un jour du calendrier'],
  ['must not be after to', 'Isiwe baada ya mwisho', 'Ne doit pas être après la fin'],
  [
    'must be less than {word} days before to',
    'Lazima iwe chini ya siku {1} kabla ya mwisho',
    'Doit être à moins de {1} jours de la fin',
  ],
  ['must be later than from', 'Lazima iwe baada ya mwanzo', 'Doit être après le début'],
  ['must be in the future', 'Lazima iwe wakati ujao', 'Doit être dans le futur'],
  ['must be within a year from now', 'Lazima iwe ndani ya mwaka mmoja', 'Doit être dans l’année qui vient'],
  [
    'must be the name of a time zone, like {word}',
    'Lazima iwe jina la saa za eneo, kama {1}',
    'Doit être le nom d’un fuseau horaire, comme {1}',
  ],
  [
    'must be one that is known, like {word}',
    'Lazima iwe inayojulikana, kama {1}',
    'Doit être une valeur connue, comme {1}',
  ],
  ['must be a name like {word}', 'Lazima iwe jina kama {1}', 'Doit être un nom comme {1}'],
  ['must be the id of a person', 'Lazima iwe kitambulisho cha mtu', 'Doit être l’identifiant d’une personne'],
  [
    'must be one word of at most {word} letters, digits, dots and dashes',
    'Lazima iwe neno moja lisilozidi herufi {1}: herufi, tarakimu, nukta na vistari',
    'Doit être un seul mot d’au plus {1} lettres, chiffres, points et tirets',
  ],
  [
    'must be in international form, like {word}',
    'Lazima iwe katika muundo wa kimataifa, kama {1}',
    'Doit être au format international, comme {1}',
  ],
  [
    'must be a number of M-Pesa in Kenya, like {word}',
    'Lazima iwe namba ya M-Pesa ya Kenya, kama {1}',
    'Doit être un numéro M-Pesa du Kenya, comme {1}',
  ],
  [
    'must be a number of {word}, like {word}, for {n} in {word}',
    'Lazima iwe namba ya {1}, kama {2}, kwa {3} ya {4}',
    'Doit être un numéro de {1}, comme {2}, pour {3} en {4}',
  ],
  // Ugandan, Rwandan, Kenyan mobile: the example shows which.
  [
    'must be a {n} number, like {word}',
    'Lazima iwe namba ya nchi hii, kama {2}',
    'Doit être un numéro de ce pays, comme {2}',
  ],
  [
    'must be the code of the bank and the account number, like {word}',
    'Lazima iwe msimbo wa benki na namba ya akaunti, kama {1}',
    'Doit être le code de la banque et le numéro de compte, comme {1}',
  ],
  ['must be an e-mail address', 'Lazima iwe anwani ya barua pepe', 'Doit être une adresse e-mail'],
  [
    'must be an e-mail address, like {word}',
    'Lazima iwe anwani ya barua pepe, kama {1}',
    'Doit être une adresse e-mail, comme {1}',
  ],
  [
    'must be a country code of two letters, like {word}',
    'Lazima iwe msimbo wa nchi wa herufi mbili, kama {1}',
    'Doit être un code de pays à deux lettres, comme {1}',
  ],
  [
    'must be an absolute http or https address of at most {word} characters',
    'Lazima iwe anwani kamili ya http au https isiyozidi herufi {1}',
    'Doit être une adresse http ou https complète d’au plus {1} caractères',
  ],
  [
    'must be an absolute address of at most {word} characters that starts with https://',
    'Lazima iwe anwani kamili isiyozidi herufi {1} inayoanza na https://',
    'Doit être une adresse complète d’au plus {1} caractères qui commence par https://',
  ],
  ['must be an address like {word}', 'Lazima iwe anwani kama {1}', 'Doit être une adresse comme {1}'],
  [
    'must be an address that starts with https:// or http://',
    'Lazima iwe anwani inayoanza na https:// au http://',
    'Doit être une adresse qui commence par https:// ou http://',
  ],
  [
    'must be the address of a website that everybody can reach',
    'Lazima iwe anwani ya tovuti ambayo kila mtu anaweza kuifikia',
    'Doit être l’adresse d’un site que tout le monde peut atteindre',
  ],
  [
    'must be a name that everybody can look up',
    'Lazima iwe jina ambalo kila mtu anaweza kulipata',
    'Doit être un nom que tout le monde peut résoudre',
  ],
  [
    'must be host names, like {word}',
    'Lazima yawe majina ya seva, kama {1}',
    'Doit être un nom d’hôte, comme {1}',
  ],
  [
    'must be addresses or networks, like {word} or {word}',
    'Lazima ziwe anwani au mitandao, kama {1} au {2}',
    'Doit être une adresse ou un réseau, comme {1} ou {2}',
  ],
  [
    'must not be a private or special address',
    'Isiwe anwani ya faragha au maalumu',
    'Ne doit pas être une adresse privée ou spéciale',
  ],
  ['must not be this service itself', 'Isiwe huduma hii yenyewe', 'Ne doit pas être ce service lui-même'],
  [
    'must have a host of letters, digits, dots and hyphens only',
    'Lazima iwe na jina la seva la herufi, tarakimu, nukta na vistari tu',
    'Doit avoir un nom d’hôte fait seulement de lettres, chiffres, points et traits d’union',
  ],
  ['must start with https://', 'Lazima ianze na https://', 'Doit commencer par https://'],
  [
    'must start with https:// in live mode',
    'Lazima ianze na https:// katika hali halisi',
    'Doit commencer par https:// en mode réel',
  ],
  [
    'must name each of the {word} who take part, once',
    'Lazima itaje kila mmoja wa washiriki {1}, mara moja',
    'Doit nommer chacun des {1} participants, une fois',
  ],
  [
    'must be another one: you have a wallet in {word} already',
    'Lazima iwe nyingine: tayari una pochi ya {1}',
    'Doit être une autre : vous avez déjà un portefeuille en {1}',
  ],
  [
    'must be payment.completed or payment.failed for the gateway',
    'Lazima iwe payment.completed au payment.failed kwa lango la malipo',
    'Doit être payment.completed ou payment.failed pour la passerelle',
  ],
  [
    'must be {n}, {n} of it for being late',
    'Lazima iwe {1}, ambapo {2} ni faini ya kuchelewa',
    'Doit être {1}, dont {2} pour le retard',
  ],
  // Of a value that is the only one; last, so that no other sentence is taken for it.
  ['must be {amount}', 'Lazima iwe {1}', 'Doit être {1}'],
  ['must be {word}', 'Lazima iwe {1}', 'Doit être {1}'],
]

/** Whole sentences. */
export const sentences: readonly Row[] = [
  [
    'Email, phone or handle is required',
    'Barua pepe, simu au jina la mtumiaji linahitajika',
    'Une adresse e-mail, un téléphone ou un identifiant est obligatoire',
  ],
  [
    'With this amount more than {n} would leave your wallet within 24 hours',
    'Kwa kiasi hiki zaidi ya {n} zitatoka kwenye pochi yako ndani ya saa 24',
    'Avec ce montant, plus de {n} sortiraient de votre portefeuille en 24 heures',
  ],
  [
    'This is for rotating groups; in a goal group everybody gives for themselves.',
    'Hii ni kwa vikundi vya zamu; katika kikundi chenye lengo kila mtu hutoa kwa ajili yake.',
    'C’est pour les tontines ; dans un groupe avec objectif, chacun donne pour soi.',
  ],
  ['Send only one of {n}', 'Tuma moja tu kati ya {n}', 'N’envoyez que l’un de : {n}'],
  [
    'Nobody has this handle. Check its spelling.',
    'Hakuna mwenye jina hili la mtumiaji. Angalia tahajia.',
    'Personne n’a cet identifiant. Vérifiez l’orthographe.',
  ],
  ['This is your own handle.', 'Hili ni jina lako mwenyewe la mtumiaji.', 'C’est votre propre identifiant.'],
  [
    'This person can not receive money just now.',
    'Mtu huyu hawezi kupokea pesa kwa sasa.',
    'Cette personne ne peut pas recevoir d’argent pour le moment.',
  ],
  [
    'Nobody with this handle is a member of the group.',
    'Hakuna mwanachama wa kikundi mwenye jina hili la mtumiaji.',
    'Aucun membre du groupe n’a cet identifiant.',
  ],
  [
    'Nobody gave out this code. Ask a member for it.',
    'Msimbo huu haukutolewa na yeyote. Mwombe mwanachama.',
    'Ce code n’existe pas. Demandez-le à un membre.',
  ],
  [
    'This member has or had a seat in this round.',
    'Mwanachama huyu ana au alikuwa na nafasi katika mzunguko huu.',
    'Ce membre a ou a eu une place dans ce tour.',
  ],
  ['Nobody has this id.', 'Hakuna mwenye kitambulisho hiki.', 'Personne n’a cet identifiant.'],
  [
    'This payment was made already. Use another reference for a new one.',
    'Malipo haya yameshafanywa. Tumia kumbukumbu nyingine kwa malipo mapya.',
    'Ce paiement a déjà été fait. Utilisez une autre référence pour un nouveau.',
  ],
  [
    'This reference belongs to a pending payment with another amount or currency.',
    'Kumbukumbu hii ni ya malipo yanayosubiri yenye kiasi au sarafu nyingine.',
    'Cette référence est celle d’un paiement en attente d’un autre montant ou d’une autre devise.',
  ],
  [
    'This reference belongs to a pending payment of the other interface (initiate-payment or pay). Use another one.',
    'Kumbukumbu hii ni ya malipo yanayosubiri ya kiolesura kingine (initiate-payment au pay). Tumia nyingine.',
    'Cette référence est celle d’un paiement en attente de l’autre interface (initiate-payment ou pay). Utilisez-en une autre.',
  ],
]
