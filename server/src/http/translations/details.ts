// What is said beyond the message of a code, in the other languages; whole sentences that are also said of a field are in
// fields.ts. More special rows come first. What only a programmer meets, by a wrong header or body, stays English.
import type { Row } from '../error-language.ts'
import { detailsTogether } from './details-together.ts'

const people: readonly Row[] = [
  [
    'This phone was asked for money several times of late, and nothing was paid. Wait some minutes, then try again.',
    'Simu hii imeombwa pesa mara kadhaa karibuni, bila kulipa. Subiri dakika chache, kisha jaribu tena.',
    'Ce téléphone a été sollicité plusieurs fois récemment, sans paiement. Attendez quelques minutes, puis réessayez.',
  ],
  [
    'The name or the password is wrong.',
    'Jina au nenosiri si sahihi.',
    'Le nom ou le mot de passe est incorrect.',
  ],
  [
    'This session has ended. Log in again.',
    'Kipindi hiki kimekwisha. Ingia tena.',
    'Cette session est terminée. Reconnectez-vous.',
  ],
  ['You have no such session.', 'Huna kipindi kama hicho.', 'Vous n’avez pas de telle session.'],
  [
    'The e-mail address is confirmed already.',
    'Anwani ya barua pepe imeshathibitishwa.',
    'L’adresse e-mail est déjà confirmée.',
  ],
  [
    'The account has no e-mail address.',
    'Akaunti haina anwani ya barua pepe.',
    'Le compte n’a pas d’adresse e-mail.',
  ],
  [
    'The PIN is disabled after too many wrong ones. Set a new one with the password.',
    'PIN imezimwa baada ya kukosewa mara nyingi mno. Weka mpya kwa nenosiri.',
    'Le code PIN est désactivé après trop d’erreurs. Choisissez-en un nouveau avec le mot de passe.',
  ],
  [
    'Your PIN was changed less than 24 hours ago. To protect you, nothing can be withdrawn before that time has passed.',
    'PIN yako imebadilishwa chini ya saa 24 zilizopita. Ili kukulinda, huwezi kutoa pesa hadi saa hizo zipite.',
    'Votre code PIN a été changé il y a moins de 24 heures. Pour vous protéger, aucun retrait n’est possible d’ici là.',
  ],
  [
    'You have no transaction with this reference.',
    'Huna muamala wenye kumbukumbu hii.',
    'Vous n’avez pas d’opération avec cette référence.',
  ],
  [
    'Another export of yours is still running. Wait until it has ended.',
    'Upakuaji wako mwingine bado unaendelea. Subiri uishe.',
    'Un autre de vos exports est encore en cours. Attendez qu’il soit terminé.',
  ],
  [
    'Too many requests are being worked on just now. Nothing was done; try again shortly.',
    'Maombi mengi mno yanashughulikiwa kwa sasa. Hakuna kilichofanyika; jaribu tena baada ya muda mfupi.',
    'Trop de requêtes sont en cours pour le moment. Rien n’a été fait ; réessayez bientôt.',
  ],
  [
    'The database went away while it was saving. Repeat the request with the same Idempotency-Key.',
    'Hifadhidata ilikatika wakati wa kuhifadhi. Rudia ombi kwa Idempotency-Key ileile.',
    'La base de données a été perdue pendant l’enregistrement. Répétez la requête avec la même Idempotency-Key.',
  ],
  [
    'No money can be moved just now: the books are being checked. Nothing was lost.',
    'Pesa haziwezi kuhamishwa kwa sasa: hesabu zinakaguliwa. Hakuna kilichopotea.',
    'Aucun argent ne peut être déplacé pour le moment : les comptes sont en cours de contrôle. Rien n’est perdu.',
  ],
  ['This request is paid already.', 'Ombi hili limeshalipwa.', 'Cette demande a déjà été payée.'],
  ['This request is declined already.', 'Ombi hili limeshakataliwa.', 'Cette demande a déjà été refusée.'],
  ['This request is cancelled already.', 'Ombi hili limeshaondolewa.', 'Cette demande a déjà été retirée.'],
  ['This request is expired already.', 'Muda wa ombi hili umekwisha.', 'Cette demande a expiré.'],
  [
    'You have {word} open requests already. Take one back first.',
    'Tayari una maombi {1} yanayosubiri. Ondoa moja kwanza.',
    'Vous avez déjà {1} demandes ouvertes. Retirez-en une d’abord.',
  ],
  [
    '{n} has {word} open requests of yours already.',
    '{1} tayari ana maombi {2} yako yanayosubiri.',
    '{1} a déjà {2} demandes ouvertes de votre part.',
  ],
]

const business: readonly Row[] = [
  [
    'You have registered a business already.',
    'Tayari umesajili biashara.',
    'Vous avez déjà enregistré une entreprise.',
  ],
  [
    'A business is told by e-mail what becomes of its application. Add an e-mail address to your account first.',
    'Biashara huarifiwa kwa barua pepe kuhusu maombi yake. Kwanza ongeza anwani ya barua pepe kwenye akaunti yako.',
    'Une entreprise apprend par e-mail ce que devient sa demande. Ajoutez d’abord une adresse e-mail à votre compte.',
  ],
  [
    'This business is suspended. Write to support.',
    'Biashara hii imesimamishwa. Wasiliana na huduma kwa wateja.',
    'Cette entreprise est suspendue. Écrivez à l’assistance.',
  ],
  [
    'The business is suspended: its money stays until that ends.',
    'Biashara imesimamishwa: pesa zake zinabaki hadi hapo itakaporuhusiwa tena.',
    'L’entreprise est suspendue : son argent reste jusqu’à la fin de la suspension.',
  ],
  [
    'Live credentials exist from the approval of the business on.',
    'Funguo halisi zinapatikana biashara ikishaidhinishwa.',
    'Les clés réelles existent à partir de l’approbation de l’entreprise.',
  ],
  [
    'This was done already. What it showed can not be shown again; rotate the credential to get a new one.',
    'Hili limeshafanyika. Kilichoonyeshwa hakiwezi kuonyeshwa tena; badilisha ufunguo ili upate mpya.',
    'Cela a déjà été fait. Ce qui a été montré ne peut pas l’être de nouveau ; remplacez la clé pour en avoir une nouvelle.',
  ],
  ['You have no such payment.', 'Huna malipo kama hayo.', 'Vous n’avez pas de tel paiement.'],
  ['You have no such notification.', 'Huna taarifa kama hiyo.', 'Vous n’avez pas de telle notification.'],
  [
    'A payment that is pending can not be refunded.',
    'Malipo yanayosubiri hayawezi kurudishwa.',
    'Un paiement en attente ne peut pas être remboursé.',
  ],
  [
    'A payment that is refunded can not be refunded.',
    'Malipo yaliyorudishwa hayawezi kurudishwa tena.',
    'Un paiement remboursé ne peut pas l’être de nouveau.',
  ],
  [
    'A payment that is failed can not be refunded.',
    'Malipo ambayo hayakufanikiwa hayawezi kurudishwa.',
    'Un paiement qui n’a pas abouti ne peut pas être remboursé.',
  ],
  ['This address is not suspended.', 'Anwani hii haijasimamishwa.', 'Cette adresse n’est pas suspendue.'],
  [
    'The payment names no address, so there is nobody to send this notification to.',
    'Malipo hayataji anwani, kwa hiyo hakuna wa kutumiwa taarifa hii.',
    'Le paiement ne nomme pas d’adresse : il n’y a donc personne à qui envoyer cette notification.',
  ],
  [
    'The body of this notification is not kept any more, so it can not be sent again. Ask for the payment itself.',
    'Maudhui ya taarifa hii hayahifadhiwi tena, kwa hiyo haiwezi kutumwa upya. Angalia malipo yenyewe.',
    'Le contenu de cette notification n’est plus conservé : elle ne peut pas être renvoyée. Consultez le paiement lui-même.',
  ],
]

export const details: readonly Row[] = [...people, ...detailsTogether, ...business]
