import fc from 'fast-check';
import { PROVIDER_STATUSES } from '../../../../src/wire/prediction-body.ts';
import { hostileText } from './hostile-values.ts';

const url = fc.oneof(
  fc.constantFrom(
    'https://replicate.delivery/x/out.png',
    'data:image/png;base64,AAAA',
    'http://127.0.0.1:1/x',
    '//x',
    '',
  ),
  hostileText,
);

/** Predictions as the provider's API and its webhooks send them (docs/provider.md#replicates-predictions-api). */
export const predictions: fc.Arbitrary<unknown> = fc.record(
  {
    id: fc.stringMatching(/^[a-z0-9]{26}$/),
    status: fc.constantFrom(...PROVIDER_STATUSES),
    output: fc.oneof(fc.constant(null), url, fc.array(url, { maxLength: 3 })),
    error: fc.oneof(
      fc.constantFrom<unknown>(null, 'flagged as sensitive (E005)', '(E001) no credit', {
        detail: 'Cold boot',
      }),
      hostileText,
    ),
    data_removed: fc.boolean(),
    webhook: fc.oneof(fc.constant(null), fc.webUrl(), hostileText),
    input: fc.oneof(fc.constant(null), fc.record({ prompt: hostileText, input_images: fc.array(url) })),
    metrics: fc.record({ predict_time: fc.double() }),
  },
  { requiredKeys: ['id', 'status'] },
);
