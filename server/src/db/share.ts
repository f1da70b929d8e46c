// A part of the connections, for work that nobody waits for: what has piled up is worked off by a few of them, and whoever
// comes with a request finds the others free. Who has to wait waits in order, for no longer than those before take; and
// what those may take is bounded by the limits of the connections themselves. Inside a transaction of it nobody may ask it for
// another connection: where it has only one, that would wait for itself.
import type { Db } from './db.ts'

/** The same database by at most so many of its connections at a time. What is closed is the whole. */
export function shareOf(db: Db, connectionsMax: number): Db {
  const inTurn = openTurns(connectionsMax)
  return {
    ...db,
    rows: (sql, parameters) => inTurn(() => db.rows(sql, parameters)),
    row: (sql, parameters) => inTurn(() => db.row(sql, parameters)),
    prepared: (sql, parameters) => inTurn(() => db.prepared(sql, parameters)),
    inTransaction: (work) => inTurn(() => db.inTransaction(work)),
    inTwoTrips: (work) => inTurn(() => db.inTwoTrips(work)),
  }
}

function openTurns(most: number): <T>(use: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = []
  let taken = 0
  return async (use) => {
    // Who leaves hands the place on: nobody who comes just then can take it before those in the line.
    if (taken < most) taken += 1
    else await new Promise<void>((resolve) => line.push(resolve))
    try {
      return await use()
    } finally {
      const next = line.shift()
      if (next === undefined) taken -= 1
      else next()
    }
  }
}
