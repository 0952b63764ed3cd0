/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles of functions. A function's credentials are in its
 * environment, so the SDK's other sources (profiles, single sign-on, instance metadata) need not be loaded.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
