// The types of the Python SDK, made from the OpenAPI document: what each route takes and answers, as TypedDicts. Run by
// `npm run docs`; a test fails when the file is stale.
import type { OpenApi, Operation, Schema } from './sdk-operations.ts'

const heading = `"""Made from docs/reference/openapi.json by \`npm run docs\`: not to be changed by hand.

What each route takes (\`\`…Body\`\`, \`\`…Query\`\`) and answers (\`\`…Data\`\`, \`\`…Item\`\` of a list, \`\`…Reply\`\` as a whole), by the
operation's name. For type checkers; nothing of it is needed when a program runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .amounts import Money

if TYPE_CHECKING:
    from typing_extensions import NotRequired
`

export function pythonShapes({ paths, components }: OpenApi): string {
  const shapes = openShapes()
  for (const methods of Object.values(paths))
    for (const operation of Object.values(methods)) addOperation(operation, shapes)
  const codes = typeOf(components.schemas.ErrorReply.properties?.code ?? {}, { name: 'ErrorCode', shapes })
  return [heading, `#: Stable and machine-readable.\nErrorCode = ${codes}\n`, ...shapes.written()].join(
    '\n\n',
  )
}

/** Each shape is written once; what looks the same as an earlier one is another name of it. */
function openShapes() {
  const written: string[] = []
  const names = new Set<string>()
  const known = new Map<string, string>()
  return {
    written: () => written,
    add: (wanted: string, { body, description }: { body: string; description: string | undefined }) => {
      let name = wanted
      for (let count = 2; names.has(name); count++) name = `${wanted}${count}`
      names.add(name)
      const before = known.get(body)
      if (before !== undefined) written.push(`${name} = ${before}\n`)
      else {
        known.set(body, name)
        const about = description === undefined ? '' : `${note(description, '')}`
        written.push(about + body.replaceAll(placeOfName, name))
      }
      return name
    },
  }
}

type Shapes = ReturnType<typeof openShapes>

interface Place {
  name: string
  shapes: Shapes
}

/** Stands for the name until that is known. */
const placeOfName = '\u0000'

function addOperation(operation: Operation, shapes: Shapes): void {
  const { operationId, parameters = [], requestBody } = operation
  const Name = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  const query = parameters.filter((parameter) => parameter.in === 'query')
  if (query.length > 0) {
    const properties = Object.fromEntries(
      query.map(({ name, schema, description }) => [
        name,
        description === undefined ? schema : { ...schema, description },
      ]),
    )
    const required = query.filter((parameter) => parameter.required).map(({ name }) => name)
    typeOf({ type: 'object', properties, required }, { name: `${Name}Query`, shapes })
  }
  const body = requestBody?.content['application/json']?.schema
  if (body !== undefined) typeOf(body, { name: `${Name}Body`, shapes })
  addReply(operation, { name: Name, shapes })
}

function addReply({ responses }: Operation, { name, shapes }: Place): void {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const schema = answer?.content?.['application/json']?.schema
  if (schema === undefined) return
  const { data, meta } = schema.properties ?? {}
  const isPage = meta?.properties !== undefined && 'next_cursor' in meta.properties
  if (data === undefined || (meta !== undefined && !isPage)) typeOf(schema, { name: `${name}Reply`, shapes })
  else if (data.type === 'array') alias(data.items ?? {}, { name: `${name}Item`, shapes })
  else if (data.type !== 'null') alias(data, { name: `${name}Data`, shapes })
}

/** What has no fields of its own gets its name all the same. */
function alias(schema: Schema, { name, shapes }: Place): void {
  const type = typeOf(schema, { name, shapes })
  if (type !== name) shapes.add(name, { body: `${placeOfName} = ${type}\n`, description: schema.description })
}

function typeOf(schema: Schema, place: Place): string {
  if (schema.anyOf !== undefined) return union(schema.anyOf.map((one) => typeOf(one, place)))
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, place)))
  if (schema.type === 'array') return `List[${typeOf(schema.items ?? {}, place)}]`
  if (schema.type === 'object') return objectType(schema, place)
  return plainTypes[schema.type ?? ''] ?? 'Any'
}

const plainTypes: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'Money',
  boolean: 'bool',
  null: 'None',
}

function objectType(schema: Schema, { name, shapes }: Place): string {
  const { properties, required = [], additionalProperties, description } = schema
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? additionalProperties : {}
    return `Dict[str, ${typeOf(value, { name, shapes })}]`
  }
  const fields = Object.entries(properties).map(([field, inside]) => {
    const type = typeOf(inside, { name: name + camel(field), shapes })
    return {
      field,
      type: required.includes(field) ? type : `NotRequired[${type}]`,
      about: inside.description === undefined ? '' : note(inside.description, '    '),
    }
  })
  return shapes.add(name, { body: typedDict(fields), description })
}

interface Field {
  field: string
  type: string
  about: string
}

function typedDict(fields: Field[]): string {
  const isPlain = ({ field }: Field) => /^[A-Za-z_]\w*$/.test(field) && !keywords.has(field)
  if (fields.every(isPlain)) {
    const lines = fields.map(({ field, type, about }) => `${about}    ${field}: ${type}`)
    return `class ${placeOfName}(TypedDict):\n${lines.length === 0 ? '    pass' : lines.join('\n')}\n`
  }
  const lines = fields.map(({ field, type, about }) => `${about}    "${field}": ${text(type)},`)
  return `${placeOfName} = TypedDict(\n    "${placeOfName}",\n    {\n${lines.join('\n').replaceAll(/^ {4}/gm, '        ')}\n    },\n)\n`
}

/** Of Python, as far as a field could be called so. */
const keywords = new Set([
  ...['and', 'as', 'assert', 'async', 'await', 'break', 'class', 'continue', 'def', 'del', 'elif', 'else'],
  ...['except', 'finally', 'for', 'from', 'global', 'if', 'import', 'in', 'is', 'lambda', 'nonlocal', 'not'],
  ...['or', 'pass', 'raise', 'return', 'try', 'while', 'with', 'yield', 'None', 'True', 'False'],
])

function union(types: string[]): string {
  const all = [...new Set(types)]
  const others = all.filter((type) => type !== 'None')
  const one = others.length === 1 ? (others[0] ?? 'Any') : `Union[${others.join(', ')}]`
  if (others.length === 0) return 'None'
  return others.length < all.length ? `Optional[${one}]` : one
}

const text = (value: string) => JSON.stringify(value)

const literal = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)

const camel = (field: string) =>
  field.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first) => first.toUpperCase())

const note = (words: string, indent: string): string =>
  `${indent}#: ${words.replaceAll(/\s+/g, ' ').trim()}\n`
