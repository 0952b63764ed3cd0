import type { AwsCall, Need } from './aws-call.ts';

const OBJECT_ACTIONS: Readonly<Record<string, string>> = {
  GET: 's3:GetObject',
  PUT: 's3:PutObject',
  DELETE: 's3:DeleteObject',
};

/** Permissions that a call needs which has the bucket in its host. */
export function s3Needs({ method, path, body }: AwsCall, [, bucket]: RegExpExecArray): readonly Need[] {
  const { pathname, searchParams } = new URL(path, 'http://s3');
  const inBucket = (action: string, key: string): Need => ({
    action,
    resource: `arn:aws:s3:::${bucket}/${key}`,
    context: {},
  });
  if (pathname !== '/') {
    const action = OBJECT_ACTIONS[method];
    if (action === undefined) throw new Error(`unknown call ${method} ${path}`);
    return [inBucket(action, decodeURIComponent(pathname.slice(1)))];
  }
  if (method === 'GET' && searchParams.get('list-type') === '2')
    return [{ action: 's3:ListBucket', resource: `arn:aws:s3:::${bucket}`, context: {} }];
  if (method === 'POST' && searchParams.has('delete'))
    return [...String(body).matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => inBucket('s3:DeleteObject', key));
  throw new Error(`unknown call ${method} ${path}`);
}
