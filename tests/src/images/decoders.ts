import { createDecoder, type Decoder, type DecoderOptions } from '../../../src/images/decoder.ts';

/** A decoder as the roles have, closed by whoever opens it. */
export function testDecoder(options: Partial<DecoderOptions> = {}): Decoder {
  const logger = { warn() {}, error() {} } as unknown as DecoderOptions['logger'];
  return createDecoder({ lane: 'test', processes: 2, memoryMb: 1_024, logger, ...options });
}

/** Takes a turn without having a picture, until `giveBack`. */
export function heldTurn(decoder: Decoder): { giveBack(): Promise<void> } {
  const given = new Error('the turn is given back');
  const holding = Promise.withResolvers<Buffer>();
  const held = decoder.run('photo', [], { load: () => holding.promise }).catch((error: unknown) => {
    if (error !== given) throw error;
  });
  return {
    async giveBack() {
      holding.reject(given);
      await held;
    },
  };
}
