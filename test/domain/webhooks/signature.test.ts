import { describe, expect, it } from '@jest/globals';
import { newWebhookSecret, signedHeaders } from '../../../lambdas/domain/webhooks/signature.ts';

/** Published examples; `standardwebhooks` 1.1.1 computes the same signatures. */
const PUBLISHED = [
  {
    secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    message: {
      id: 'msg_27UH4WbU6Z5A5EzD8u03UvzRbpk',
      timestamp: 1_649_367_553,
      body: '{"email":"test@example.com","username":"test_user"}',
    },
    signature: 'v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=',
  },
  {
    secret: 'whsec_plJ3nmyCDGBKInavdOK15jsl',
    message: {
      id: 'msg_loFOjxBNrRLzqYUf',
      timestamp: 1_731_705_121,
      body: '{"event_type":"ping","data":{"success":true}}',
    },
    signature: 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
  },
];

describe('a signature', () => {
  it.each(PUBLISHED)('of $message.id is that of the Standard Webhooks convention', ({ secret, message, signature }) => {
    expect(signedHeaders(message, secret)).toEqual({
      'content-type': 'application/json',
      'webhook-id': message.id,
      'webhook-timestamp': String(message.timestamp),
      'webhook-signature': signature,
    });
  });

  it('has a secret of 32 bytes in Base64', () => {
    const random = Buffer.alloc(32, 0xfb);
    expect(newWebhookSecret(random.toString('base64url'))).toBe(`whsec_${random.toString('base64')}`);
  });
});
