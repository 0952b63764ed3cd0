import * as z from 'zod';

const ResponseHeaders = z.object({
  ResponseHeadersPolicyConfig: z.object({
    CorsConfig: z
      .object({
        AccessControlAllowCredentials: z.literal(false),
        AccessControlAllowOrigins: z.strictObject({ Items: z.tuple([z.literal('*')]) }),
      })
      .optional(),
    CustomHeadersConfig: z
      .strictObject({
        Items: z.array(z.strictObject({ Header: z.string(), Value: z.string(), Override: z.boolean() })),
      })
      .optional(),
    SecurityHeadersConfig: z.strictObject({
      ContentSecurityPolicy: z.strictObject({ Override: z.boolean(), ContentSecurityPolicy: z.string() }).optional(),
      ContentTypeOptions: z.strictObject({ Override: z.boolean() }),
      ReferrerPolicy: z.strictObject({ Override: z.boolean(), ReferrerPolicy: z.string() }),
      StrictTransportSecurity: z.strictObject({
        AccessControlMaxAgeSec: z.number(),
        IncludeSubdomains: z.literal(false),
        Override: z.boolean(),
      }),
    }),
  }),
});

export type AddedHeader = {
  readonly name: string;
  readonly value: string;
  readonly overrides: boolean;
  /** Whether only requests with an Origin header get it. */
  readonly isCors?: boolean;
};
/** Returns the headers that a response headers policy adds. */
export function addedHeadersOf(properties: unknown): readonly AddedHeader[] {
  const config = ResponseHeaders.parse(properties).ResponseHeadersPolicyConfig;
  const { CorsConfig: cors, CustomHeadersConfig: custom, SecurityHeadersConfig: security } = config;
  const { ContentTypeOptions: type, ReferrerPolicy: referrer, StrictTransportSecurity: transport } = security;
  const { ContentSecurityPolicy: content } = security;
  return [
    { name: 'x-content-type-options', value: 'nosniff', overrides: type.Override },
    { name: 'referrer-policy', value: referrer.ReferrerPolicy, overrides: referrer.Override },
    {
      name: 'strict-transport-security',
      value: `max-age=${transport.AccessControlMaxAgeSec}`,
      overrides: transport.Override,
    },
    ...(content
      ? [{ name: 'content-security-policy', value: content.ContentSecurityPolicy, overrides: content.Override }]
      : []),
    ...(cors ? [{ name: 'access-control-allow-origin', value: '*', overrides: true, isCors: true }] : []),
    ...(custom?.Items ?? []).map(({ Header, Value, Override }) => ({
      name: Header.toLowerCase(),
      value: Value,
      overrides: Override,
    })),
  ];
}

/** Returns the headers of an answer with those that its policy adds. */
export function withHeaders(
  headers: Readonly<Record<string, string>>,
  headersToAdd: readonly AddedHeader[],
): Record<string, string> {
  const added = headersToAdd.filter(({ name, overrides }) => overrides || headers[name] === undefined);
  return { ...headers, ...Object.fromEntries(added.map(({ name, value }) => [name, value])) };
}
