// What is said of groups and campaigns beyond the message of a code, in the other languages. More special rows come first.
import type { Row } from '../error-language.ts'

export const detailsTogether: readonly Row[] = [
  ['There is no such group.', 'Hakuna kikundi kama hicho.', 'Ce groupe n’existe pas.'],
  [
    'There is no group with this invitation. Ask a member for the code.',
    'Hakuna kikundi chenye mwaliko huu. Mwombe mwanachama msimbo.',
    'Aucun groupe n’a cette invitation. Demandez le code à un membre.',
  ],
  [
    'You are not a member of this group.',
    'Wewe si mwanachama wa kikundi hiki.',
    'Vous n’êtes pas membre de ce groupe.',
  ],
  [
    'The group has {n} members already.',
    'Kikundi tayari kina wanachama {n}.',
    'Le groupe compte déjà {n} membres.',
  ],
  ['This group is full.', 'Kikundi hiki kimejaa.', 'Ce groupe est complet.'],
  [
    'This group is closed: its last member has left.',
    'Kikundi hiki kimefungwa: mwanachama wa mwisho ameondoka.',
    'Ce groupe est fermé : son dernier membre est parti.',
  ],
  ['This member has left.', 'Mwanachama huyu ameondoka.', 'Ce membre est parti.'],
  [
    'You have left this group. No money left your wallet.',
    'Umeondoka kwenye kikundi hiki. Hakuna pesa zilizotoka kwenye pochi yako.',
    'Vous avez quitté ce groupe. Rien n’est sorti de votre portefeuille.',
  ],
  [
    'Only the chair of the group may do this.',
    'Ni mwenyekiti wa kikundi tu anayeweza kufanya hivi.',
    'Seule la présidence du groupe peut faire cela.',
  ],
  [
    'Only the chair or the treasurer of the group may do this.',
    'Ni mwenyekiti au mweka hazina wa kikundi tu anayeweza kufanya hivi.',
    'Seules la présidence ou la trésorerie du groupe peuvent faire cela.',
  ],
  [
    'A group always has a chair: make another member the chair.',
    'Kikundi huwa na mwenyekiti daima: mfanye mwanachama mwingine kuwa mwenyekiti.',
    'Un groupe a toujours une présidence : confiez-la à un autre membre.',
  ],
  [
    'Hand the chair over to another member first, then leave.',
    'Kwanza mkabidhi mwanachama mwingine uenyekiti, kisha uondoke.',
    'Confiez d’abord la présidence à un autre membre, puis quittez le groupe.',
  ],
  [
    'You are the chair. Hand the chair over and leave instead.',
    'Wewe ni mwenyekiti. Kabidhi uenyekiti, kisha uondoke mwenyewe.',
    'Vous présidez le groupe. Confiez la présidence, puis quittez-le vous-même.',
  ],
  [
    'There is still money in the group, and you are its last member. Propose a payout first.',
    'Bado kuna pesa kwenye kikundi, na wewe ndiye mwanachama wa mwisho. Pendekeza malipo kwanza.',
    'Il reste de l’argent dans le groupe, et vous êtes son dernier membre. Proposez d’abord un paiement.',
  ],
  [
    'You still owe other members something. Pay it first, then leave.',
    'Bado unadaiwa na wanachama wengine. Lipa kwanza, kisha uondoke.',
    'Vous devez encore quelque chose à d’autres membres. Payez-le d’abord, puis quittez le groupe.',
  ],
  [
    'You have received the pot of this round and still owe the others their turns. Pay to the end, or find a member who takes over your seat.',
    'Umeshapata kitita cha mzunguko huu na bado unadaiwa zamu za wengine. Lipa hadi mwisho, au tafuta mwanachama atakayechukua nafasi yako.',
    'Vous avez reçu la cagnotte de ce tour et devez encore leurs échéances aux autres. Payez jusqu’au bout, ou trouvez un membre qui reprend votre place.',
  ],
  [
    'Nobody can be removed from a goal group: its members decide together.',
    'Hakuna anayeweza kuondolewa kwenye kikundi chenye lengo: wanachama wake huamua pamoja.',
    'Personne ne peut être retiré d’un groupe avec objectif : ses membres décident ensemble.',
  ],
  [
    'Nobody can be removed while a round is open.',
    'Hakuna anayeweza kuondolewa wakati mzunguko unaendelea.',
    'Personne ne peut être retiré tant qu’un tour est ouvert.',
  ],
  [
    'Only rotating groups have rounds.',
    'Ni vikundi vya zamu tu vyenye mizunguko.',
    'Seules les tontines ont des tours.',
  ],
  [
    'There is no such round in this group.',
    'Hakuna mzunguko kama huo katika kikundi hiki.',
    'Ce tour n’existe pas dans ce groupe.',
  ],
  ['A round is open already.', 'Tayari kuna mzunguko unaoendelea.', 'Un tour est déjà ouvert.'],
  [
    'No round is open in this group.',
    'Hakuna mzunguko unaoendelea katika kikundi hiki.',
    'Aucun tour n’est ouvert dans ce groupe.',
  ],
  [
    'No round is open in this group: the chair starts the next one.',
    'Hakuna mzunguko unaoendelea katika kikundi hiki: mwenyekiti ataanzisha unaofuata.',
    'Aucun tour n’est ouvert dans ce groupe : c’est à la présidence de lancer le suivant.',
  ],
  [
    'A round needs at least {word} members; there are {word}. Who owes something from an earlier round takes no part.',
    'Mzunguko unahitaji wanachama wasiopungua {1}; wako {2}. Anayedaiwa kutoka mzunguko wa awali hashiriki.',
    'Un tour demande au moins {1} membres ; il y en a {2}. Qui doit quelque chose d’un tour précédent n’y participe pas.',
  ],
  [
    'A round needs at least {word} members; there are {word}.',
    'Mzunguko unahitaji wanachama wasiopungua {1}; wako {2}.',
    'Un tour demande au moins {1} membres ; il y en a {2}.',
  ],
  [
    'No draw is announced in this group.',
    'Hakuna kura iliyotangazwa katika kikundi hiki.',
    'Aucun tirage au sort n’est annoncé dans ce groupe.',
  ],
  [
    'A draw is announced already: start the round with it.',
    'Kura imeshatangazwa: anzisha mzunguko kwa kura hiyo.',
    'Un tirage au sort est déjà annoncé : lancez le tour avec lui.',
  ],
  [
    'A draw is announced: start the round with it.',
    'Kura imetangazwa: anzisha mzunguko kwa kura hiyo.',
    'Un tirage au sort est annoncé : lancez le tour avec lui.',
  ],
  [
    'Announce the draw first, so that everybody knows that nobody chose the order.',
    'Tangaza kura kwanza, ili kila mtu ajue kwamba hakuna aliyechagua mpangilio.',
    'Annoncez d’abord le tirage au sort, pour que chacun sache que personne n’a choisi l’ordre.',
  ],
  [
    'You have paid for this cycle already. No money left your wallet.',
    'Umeshalipia zamu hii. Hakuna pesa zilizotoka kwenye pochi yako.',
    'Vous avez déjà payé cette échéance. Rien n’est sorti de votre portefeuille.',
  ],
  [
    '{n} has paid for this cycle already. No money left your wallet.',
    '{n} ameshalipia zamu hii. Hakuna pesa zilizotoka kwenye pochi yako.',
    '{n} a déjà payé cette échéance. Rien n’est sorti de votre portefeuille.',
  ],
  [
    'This cycle is not late yet.',
    'Zamu hii bado haijachelewa.',
    'Cette échéance n’est pas encore en retard.',
  ],
  ['No seat is offered to you.', 'Hujapewa nafasi yoyote.', 'Aucune place ne vous est proposée.'],
  [
    'You have or had a seat in this round already.',
    'Tayari una au ulikuwa na nafasi katika mzunguko huu.',
    'Vous avez ou avez déjà eu une place dans ce tour.',
  ],
  [
    'You have no seat in this round.',
    'Huna nafasi katika mzunguko huu.',
    'Vous n’avez pas de place dans ce tour.',
  ],
  [
    'You have nothing to pay back. No money left your wallet.',
    'Huna deni la kulipa. Hakuna pesa zilizotoka kwenye pochi yako.',
    'Vous n’avez rien à rembourser. Rien n’est sorti de votre portefeuille.',
  ],
  [
    '{n} has nothing to pay back. No money left your wallet.',
    '{n} hana deni la kulipa. Hakuna pesa zilizotoka kwenye pochi yako.',
    '{n} n’a rien à rembourser. Rien n’est sorti de votre portefeuille.',
  ],
  [
    '{n} has no seat in this round.',
    '{n} hana nafasi katika mzunguko huu.',
    '{n} n’a pas de place dans ce tour.',
  ],
  [
    'You have no seat in an open round of this group.',
    'Huna nafasi katika mzunguko unaoendelea wa kikundi hiki.',
    'Vous n’avez pas de place dans un tour ouvert de ce groupe.',
  ],
  [
    'A rotating group pays out by itself, in the order of its round.',
    'Kikundi cha zamu hulipa chenyewe, kwa mpangilio wa mzunguko wake.',
    'Une tontine paie d’elle-même, dans l’ordre de son tour.',
  ],
  [
    'There is no such proposal in this group.',
    'Hakuna pendekezo kama hilo katika kikundi hiki.',
    'Cette proposition n’existe pas dans ce groupe.',
  ],
  [
    'You have {word} open proposals in this group already.',
    'Tayari una mapendekezo {1} yanayosubiri katika kikundi hiki.',
    'Vous avez déjà {1} propositions ouvertes dans ce groupe.',
  ],
  [
    'You have proposed this payout yourself; the others decide about it.',
    'Wewe ndiye uliyependekeza malipo haya; wengine ndio wataamua.',
    'Vous avez proposé ce paiement vous-même ; c’est aux autres d’en décider.',
  ],
  [
    'Only who proposed a payout can take it back.',
    'Ni aliyependekeza malipo tu anayeweza kuyaondoa.',
    'Seul l’auteur d’une proposition peut la retirer.',
  ],
  ['This proposal is paid already.', 'Pendekezo hili limeshalipwa.', 'Cette proposition a déjà été payée.'],
  [
    'This proposal is cancelled already.',
    'Pendekezo hili limeshaondolewa.',
    'Cette proposition a déjà été retirée.',
  ],
  ['This proposal is expired already.', 'Muda wa pendekezo hili umekwisha.', 'Cette proposition a expiré.'],
  [
    'There is no such entry in the account of this group.',
    'Hakuna ingizo kama hilo katika akaunti ya kikundi hiki.',
    'Cette écriture n’existe pas dans le compte de ce groupe.',
  ],
  ['There is no such campaign.', 'Hakuna mchango kama huo.', 'Cette collecte n’existe pas.'],
  ['This campaign has ended.', 'Mchango huu umefungwa.', 'Cette collecte est terminée.'],
  [
    'This campaign has ended, and can not begin again.',
    'Mchango huu umefungwa, na hauwezi kuanza tena.',
    'Cette collecte est terminée et ne peut pas recommencer.',
  ],
  [
    'This campaign can not take contributions just now.',
    'Mchango huu hauwezi kupokea pesa kwa sasa.',
    'Cette collecte ne peut pas recevoir de dons pour le moment.',
  ],
  [
    'This campaign is paused: {n}',
    'Mchango huu umesimamishwa kwa muda: {n}',
    'Cette collecte est suspendue : {n}',
  ],
  [
    'The money of this campaign goes back to who gave it: {n}',
    'Pesa za mchango huu zinarudishwa kwa waliozitoa: {n}',
    'L’argent de cette collecte est rendu à qui l’a donné : {n}',
  ],
  [
    'The money of this campaign goes back to who gave it.',
    'Pesa za mchango huu zinarudishwa kwa waliozitoa.',
    'L’argent de cette collecte est rendu à qui l’a donné.',
  ],
  [
    'There is nothing in this campaign to take out.',
    'Hakuna pesa za kutoa katika mchango huu.',
    'Il n’y a rien à retirer de cette collecte.',
  ],
  [
    'Only the owner of a campaign may do that.',
    'Ni mwenye mchango tu anayeweza kufanya hivyo.',
    'Seul le propriétaire d’une collecte peut faire cela.',
  ],
  [
    'You have {word} campaigns already. End one of them before you begin another.',
    'Tayari una michango {1}. Funga mmoja kabla ya kuanzisha mwingine.',
    'Vous avez déjà {1} collectes. Terminez-en une avant d’en commencer une autre.',
  ],
  [
    'A campaign has at most {word} updates.',
    'Mchango hauwezi kuwa na habari zaidi ya {1}.',
    'Une collecte a au plus {1} nouvelles.',
  ],
]
