import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const Resource = z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) });
const Template = z.object({ Resources: z.record(z.string(), Resource) });
const Assets = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.object({ path: z.string(), packaging: z.enum(['zip', 'file']) }),
      destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
    }),
  ),
});
const Manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({ type: z.string(), properties: z.object({ templateFile: z.string() }).partial().optional() }),
  ),
});

export type Resource = z.infer<typeof Resource>;
export type CloudAssembly = {
  readonly stackName: string;
  readonly resources: Readonly<Record<string, Resource>>;
  /** The folder that an asset's object in the bucket of assets is the archive of. */
  readonly folderOf: (objectKey: string) => string;
};

/** The output of `cdk synth` in a folder: one stack, and the folders of its code. */
export function readCloudAssembly(folder: string): CloudAssembly {
  if (!existsSync(join(folder, 'manifest.json')))
    throw new Error(`${folder} has no manifest.json. Run: npm run synth -- -o ${folder}`);
  const { artifacts } = Manifest.parse(jsonIn(folder, 'manifest.json'));
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === 'aws:cloudformation:stack');
  const [stack] = stacks;
  const file = stack?.[1].properties?.templateFile;
  if (stacks.length !== 1 || !stack || !file) throw new Error(`${folder} must hold one stack`);
  const { Resources } = Template.parse(jsonIn(folder, file));
  const { files } = Assets.parse(jsonIn(folder, `${stack[0]}.assets.json`));
  const folders = Object.values(files).flatMap(({ source, destinations }) =>
    Object.values(destinations).map(({ objectKey }) => [objectKey, join(folder, source.path)] as const),
  );
  const byKey = new Map(folders);
  return {
    stackName: stack[0],
    resources: Resources,
    folderOf: (objectKey) => {
      const found = byKey.get(objectKey);
      if (found === undefined) throw new Error(`The assets of ${folder} have no ${objectKey}`);
      return found;
    },
  };
}

const jsonIn = (folder: string, file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
