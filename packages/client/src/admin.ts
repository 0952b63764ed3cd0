import type { paths } from './openapi.ts';
import { type Connection, type Request, sendForJson } from './send.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type MethodsOf<Path extends keyof paths> = {
  [M in Method]: Lowercase<M> extends keyof paths[Path] ? M : never;
}[Method];
/** `GET /sites/{siteId}`: every method with every path of the API. */
export type OperationName = { [Path in keyof paths]: `${MethodsOf<Path>} ${Path}` }[keyof paths];
type Operation<Name extends OperationName> = Name extends `${infer M} ${infer Path extends keyof paths}`
  ? paths[Path][Lowercase<M> & keyof paths[Path]]
  : never;

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : undefined;
type Parameters<Op> = Op extends { parameters: infer All } ? All : unknown;
type RequestBody<Op> = Op extends { requestBody: infer Content }
  ? { readonly body: Json<Content> }
  : 'requestBody' extends keyof Op
    ? { readonly body?: Json<Exclude<Op['requestBody'], undefined>> }
    : unknown;

/** `path`, `query` and `body` of an operation, as far as it has them. */
export type Input<Name extends OperationName> = Parameters<Operation<Name>> &
  RequestBody<Operation<Name>> & { readonly signal?: AbortSignal };
/** The body of the answer to an operation; `undefined` if it has none. */
export type Output<Name extends OperationName> = Json<Responses<Operation<Name>>>;
type Responses<Op> = Op extends { responses: infer All } ? All[keyof All] : never;
type Arguments<Name extends OperationName> =
  Record<never, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>];

export type Admin = <Name extends OperationName>(operation: Name, ...given: Arguments<Name>) => Promise<Output<Name>>;

type AnyInput = Omit<Request, 'method'> & { readonly path?: Readonly<Record<string, string>> };

/** A function that calls each operation of the API by its method and path, with the types of the OpenAPI document. */
export function createAdmin(connection: Connection & { readonly key: string }): Admin {
  return async (operation, ...given) => {
    const [method = '', template = ''] = operation.split(' ');
    const { path: values = {}, query, body, signal } = (given[0] ?? {}) as AnyInput;
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (values[name] === undefined) throw new TypeError(`The path ${template} needs ${name}.`);
      return encodeURIComponent(values[name]);
    });
    return sendForJson(connection, path, { method, query, body, signal, isRead: method === 'GET' });
  };
}
