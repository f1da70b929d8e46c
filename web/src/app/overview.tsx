import { Currencies } from './currencies.tsx'
import { ServiceState } from './service-state.tsx'

/** The dashboard of this version: it shows what is there, and says what is not. */
export const Overview = ({ language }: { language: string }) => (
  <>
    <h1 className="text-3xl font-bold tracking-tight">Dashboard</h1>
    <div className="mt-6 grid gap-4 lg:grid-cols-2">
      <ServiceState language={language} />
      <section className="card flex flex-col" aria-labelledby="accounts">
        <h2 id="accounts" className="text-soft">
          Accounts
        </h2>
        <p className="state state-closed">Not on this page yet</p>
        <p className="mt-3 max-w-md text-soft">
          Accounts, wallets, transfers and payments run, through the API and the hosted checkout. This page
          becomes their dashboard.
        </p>
        <p className="mt-auto pt-5">
          <a className="button button-main w-full sm:w-auto" href="/docs">
            Read the documentation
          </a>
        </p>
      </section>
      <div className="lg:col-span-2">
        <Currencies language={language} />
      </div>
    </div>
  </>
)
