/**
 * Stands in the code of functions for `@aws-sdk/credential-provider-node`: a function has its credentials in its environment, and
 * whatever else the SDK would look for (profiles, sign-ons, machines) need not be loaded.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
