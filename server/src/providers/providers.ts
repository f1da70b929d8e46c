// The door of the providers: what they are (`contract.ts`), which there are (`registry.ts`), and how they are talked to
// (`call.ts`). Each provider is a folder of functions without I/O; a new one is a folder, a line in the registry, and its
// settings.
export { type Caller, type CallerOptions, type Made, openCaller } from './call.ts'
export {
  type Adapter,
  type Callback,
  type Delivery,
  type Exchange,
  type FailureCode,
  failureCodes,
  type Heard,
  type Mode,
  NoAnswer,
  type OperationKind,
  type ProviderId,
  type ProviderRecord,
  type ProviderSettings,
  providerIds,
  type Token,
  type WireAnswer,
  type WireOperation,
  type WireRequest,
} from './contract.ts'
export { adapterOf, openRegistry, type Provided, providerOf, type Registry, registryOf } from './registry.ts'
export { readStatement, statementRequest } from './simulator.ts'
