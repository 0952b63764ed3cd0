import * as z from 'zod';
import type { DeployedTemplate } from '../template/deployed-template.ts';
import { matchesWildcard } from './wildcard.ts';

const Permission = z.strictObject({
  Action: z.literal('lambda:InvokeFunction'),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string(),
});
type Permission = z.infer<typeof Permission>;

/** Which services may invoke which functions, and for what: the policies of the functions themselves. */
export class Permissions {
  readonly faults: string[] = [];
  #permissions: readonly Permission[] = [];

  adopt(template: DeployedTemplate): void {
    this.#permissions = template
      .ofType('AWS::Lambda::Permission')
      .map(({ properties }) => Permission.parse(properties));
  }

  /** Throws unless the service may invoke the function for the resource `source`. */
  require(service: string, functionArn: string, source: string): void {
    const allowed = this.#permissions.some(
      ({ Principal, FunctionName, SourceArn }) =>
        Principal === service && FunctionName === functionArn && matchesWildcard(SourceArn, source),
    );
    if (allowed) return;
    const fault = `${service} may not invoke ${functionArn} for ${source}`;
    this.faults.push(fault);
    throw new Error(fault);
  }
}
