import type { Pages } from '../kit/pages.ts'

export const operatorPages: Pages = {}
