// What a savings group of each kind is asked for with.

export const rotating = {
  name: 'Umoja',
  currency: 'UGX',
  kind: 'rotating',
  contribution_amount: 1_000,
  frequency: 'weekly',
  visibility: 'private',
}
export const goal = {
  name: 'Paa',
  currency: 'UGX',
  kind: 'goal',
  goal_amount: 500_000,
  visibility: 'private',
}
