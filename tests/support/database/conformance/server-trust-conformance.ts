import { expect, test } from 'vitest';

/** One installation's database server, whose heartbeat and trust a test moves. */
export interface TrustSubject {
  /** The heartbeat moved so long ago; negative: it is still to come. */
  beatWas(agoMs: number): Promise<unknown>;
  /** The pause switch has trusted this server since. */
  trust(agoMs: number): Promise<unknown>;
  trustAnother(): Promise<unknown>;
  /** Runs the work on a server that was promoted once. */
  promoted(work: () => Promise<void>): Promise<void>;
  /** Of a worker. `certainAgo` in whole seconds. */
  look(): Promise<{ wasSilent: boolean; certainAgo: number }>;
  mayBuy(): Promise<boolean>;
}

const SECOND = 1_000;

/** Which server may be bought on, held against PostgreSQL and the in-memory database. */
export function serverTrustConformance(subject: TrustSubject): void {
  const { beatWas, trust, trustAnother, promoted, look, mayBuy } = subject;
  test('the first server is trusted, however old its heartbeat', async () => {
    await beatWas(600 * SECOND);
    expect(await mayBuy()).toBe(true);
    expect(await look()).toEqual({ wasSilent: false, certainAgo: 0 });
  });

  test('a first server that was promoted is not trusted: another may have been trusted before it', async () => {
    await promoted(async () => {
      await beatWas(8 * SECOND);
      expect(await mayBuy()).toBe(false);
      expect(await look()).toEqual({ wasSilent: true, certainAgo: 8 });
      // Looks alone change nothing.
      expect(await look()).toEqual({ wasSilent: true, certainAgo: 8 });
      await trust(0);
      expect(await look()).toEqual({ wasSilent: false, certainAgo: 0 });
      expect(await mayBuy()).toBe(true);
    });
  });

  test('the heartbeat of a trusted server moves when it is older than five seconds', async () => {
    await trust(600 * SECOND);
    await beatWas(3 * SECOND);
    expect(await look()).toEqual({ wasSilent: false, certainAgo: 3 });
    await beatWas(29 * SECOND);
    expect(await mayBuy()).toBe(true);
    expect(await look()).toEqual({ wasSilent: false, certainAgo: 0 });
  });

  test('a server without a heartbeat for 30 seconds buys nothing until it is trusted again', async () => {
    await trust(600 * SECOND);
    await beatWas(31 * SECOND);
    expect(await mayBuy()).toBe(false);
    expect(await look()).toEqual({ wasSilent: true, certainAgo: 31 });
    // Looks alone change nothing.
    expect(await look()).toEqual({ wasSilent: true, certainAgo: 31 });
    await trust(0);
    expect(await look()).toEqual({ wasSilent: false, certainAgo: 0 });
    expect(await mayBuy()).toBe(true);
  });

  test('a disk that was trusted again after its last heartbeat is silent too when it comes back', async () => {
    await trust(60 * SECOND);
    await beatWas(90 * SECOND);
    expect(await mayBuy()).toBe(false);
    expect(await look()).toEqual({ wasSilent: true, certainAgo: 90 });
  });

  test('a heartbeat that is still to come, because the clock was set back, counts as now', async () => {
    await trust(600 * SECOND);
    await beatWas(-3_600 * SECOND);
    expect(await look()).toEqual({ wasSilent: false, certainAgo: 0 });
  });

  test('another server leaves the heartbeat where it was', async () => {
    await trustAnother();
    await beatWas(8 * SECOND);
    expect(await look()).toEqual({ wasSilent: false, certainAgo: 8 });
    expect(await mayBuy()).toBe(false);
  });
}
