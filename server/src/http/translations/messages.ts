// The messages of errors in the other languages, one for each code.
import type { ErrorCode } from '../../base/errors.ts'

/** By the code; English is in error-reply.ts. */
export const messages: Record<ErrorCode, { sw: string; fr: string }> = {
  bad_request: { sw: 'Ombi halikuweza kusomwa.', fr: 'La requête n’a pas pu être lue.' },
  unauthenticated: {
    sw: 'Tuma kitambulisho halali pamoja na ombi.',
    fr: 'Envoyez une identification valide avec la requête.',
  },
  forbidden: {
    sw: 'Kitambulisho hiki hakiruhusiwi kufanya hivyo.',
    fr: 'Cette identification ne permet pas cette action.',
  },
  not_found: {
    sw: 'Hakuna kitu hapa. Angalia anwani na njia ya ombi.',
    fr: 'Il n’y a rien ici. Vérifiez le chemin et la méthode.',
  },
  payload_too_large: {
    sw: 'Ombi ni kubwa mno; kikomo ni KiB 64.',
    fr: 'Le corps est trop grand ; 64 Kio au maximum.',
  },
  unsupported_media_type: {
    sw: 'Tuma ombi kama application/json.',
    fr: 'Envoyez le corps en application/json.',
  },
  validation_failed: {
    sw: 'Baadhi ya sehemu zinahitaji kurekebishwa.',
    fr: 'Certains champs demandent une autre valeur.',
  },
  insufficient_funds: {
    sw: 'Hakuna pesa za kutosha kwenye pochi. Hakuna pesa zilizotoka.',
    fr: 'Il n’y a pas assez d’argent dans le portefeuille. Rien n’en est sorti.',
  },
  limit_exceeded: {
    sw: 'Kiasi kimezidi kikomo. Hakuna pesa zilizotoka kwenye pochi.',
    fr: 'Le montant dépasse une limite. Rien n’est sorti du portefeuille.',
  },
  invalid_state: {
    sw: 'Hilo haliwezekani tena, au bado haliwezekani.',
    fr: 'Ce n’est plus possible, ou pas encore.',
  },
  idempotency_conflict: {
    sw: 'Idempotency-Key hii ilitumika kwa ombi lingine. Tumia mpya.',
    fr: 'Cette Idempotency-Key a servi à une autre requête. Prenez-en une nouvelle.',
  },
  pin_incorrect: {
    sw: 'PIN si sahihi. Ombi hili halijahamisha pesa.',
    fr: 'Le code PIN est faux. Cette demande n’a déplacé aucun argent.',
  },
  pin_locked: {
    sw: 'PIN imefungwa baada ya majaribio mengi. Subiri dakika 30, au weka PIN mpya kwa nenosiri.',
    fr: 'Le code PIN est bloqué après trop d’essais. Attendez 30 minutes, ou changez-le avec le mot de passe.',
  },
  pin_not_set: { sw: 'Weka PIN kwanza.', fr: 'Choisissez d’abord un code PIN.' },
  account_frozen: {
    sw: 'Akaunti hii imesimamishwa. Wasiliana na huduma kwa wateja.',
    fr: 'Ce compte est gelé. Écrivez à l’assistance.',
  },
  second_factor_required: {
    sw: 'Onyesha kwanza msimbo wa programu yako ya uthibitishaji.',
    fr: 'Donnez d’abord un code de votre application d’authentification.',
  },
  rate_limited: {
    sw: 'Maombi ni mengi mno. Subiri kwa muda ulioelezwa na Retry-After.',
    fr: 'Trop de requêtes. Attendez le temps indiqué par Retry-After.',
  },
  internal_error: {
    sw: 'Kuna hitilafu upande wetu. Ikitokea tena, tuambie request_id.',
    fr: 'Une erreur s’est produite chez nous. Si elle se répète, indiquez-nous le request_id.',
  },
  unavailable: {
    sw: 'Huduma haipatikani kwa sasa. Hakuna kilichofanyika nusu; jaribu tena baada ya muda mfupi.',
    fr: 'Le service n’est pas disponible pour le moment. Rien n’a été fait à moitié ; réessayez bientôt.',
  },
}
