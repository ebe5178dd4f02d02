/**
 * Known mistakes (docs/invariants.md#mistakes-that-must-be-found). Each is applied while the modules load, by
 * `mutation-loader.ts`; the files on disk are never touched and the product has no switch for it. The suite
 * that must find a mistake has to fail with one of these.
 */
export interface Mutation {
  /** Exactly as listed. */
  readonly name: string;
  /** Texts to replace, each found exactly once in its file. */
  readonly edits: readonly { file: string; find: string; replace: string }[];
  /** A run of the simulation, the invariants of an installation's search documents, or real decoders. */
  readonly noticedBy: 'simulation' | 'search documents' | 'decoders';
  /** Invariants of which at least one must be seen broken, and no other; of decoders, what they answer. */
  readonly expects: readonly string[];
  /** The seed from which the simulation looks, where the first one that shows the mistake is far from 1. */
  readonly from?: number;
}

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'drop version from the compare-and-set',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'tests/verification/simulation/memory/memory-store.ts',
        find: `job?.version === seen.job.version &&
          row?.version === attempt.version &&
          isAsSeen(row, { actor: attempt, entry }) &&
          held;`,
        replace: 'held;',
      },
      {
        file: 'tests/verification/simulation/memory/memory-store.ts',
        find: 'session.append({ ...entry, leaseEpoch: lease?.epoch ?? null });',
        replace: 'session.append({ ...entry, seq: row.version + 1, leaseEpoch: lease?.epoch ?? null });',
      },
    ],
    expects: ['I8', 'I9'],
  },
  {
    name: 'drop the epoch check',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/actors/advance-job.ts',
        find: '  needsLease(event.type) && !isOfHolder(scope, scope.aggregate.job);',
        replace: '  event.type === null && !isOfHolder(scope, scope.aggregate.job);',
      },
      {
        file: 'supervisors/actors/hot-path.ts',
        find: '  if (origin.lease && !isOfHolder({ origin }, seen.job)) return null;',
        replace: '',
      },
      {
        file: 'supervisors/actors/hot-path.ts',
        find: '  const underLease = origin.lease ?? null;',
        replace: '  const underLease = null;',
      },
    ],
    expects: ['I2', 'I9', 'I13'],
  },
  {
    name: 'POST without the claim',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/activities/send-prediction.ts',
        find: '  const claimed = await claim(scope, claimedAt);',
        replace: '  void claim;\n  const claimed: ActivityScope | null = scope;',
      },
    ],
    expects: ['I3', 'I2'],
  },
  {
    name: 'POST again from UNCONFIRMED',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/activities/reconcile-prediction.ts',
        find: '  if (attempt.context.notListedAt === null) return { waitMs: POLLS_PER_LOOK * ports.pollIntervalMs };',
        replace: `  if (attempt.context.notListedAt === null) {
    await ports.provider.create({ attemptId: attempt.id, aggregate: scope.aggregate, mayBuy: scope.mayBuy });
    return { waitMs: POLLS_PER_LOOK * ports.pollIntervalMs };
  }`,
      },
    ],
    expects: ['I2'],
  },
  {
    name: 'abort the create on stop',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/activities/send-prediction.ts',
        find: 'const answer = await ports.provider.create({ attemptId: attempt.id, aggregate, mayBuy });',
        replace: `const aborted = new Promise<CreateAnswer>((resolve) =>
    scope.signal.addEventListener('abort', () => resolve({ kind: 'unknown', cause: 'transport' }), { once: true }),
  );
  const answer = await Promise.race([ports.provider.create({ attemptId: attempt.id, aggregate, mayBuy }), aborted]);`,
      },
    ],
    expects: ['I29'],
    from: 175,
  },
  {
    name: 'record the result without locking the job',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'tests/verification/simulation/memory/memory-transaction.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the source.
        find: "lockJob: (jobId) => locked('lock job', [`job ${jobId}`], () => jobAggregate(session, jobId)),",
        replace: "lockJob: (jobId) => locked('lock job', [], () => jobAggregate(session, jobId)),",
      },
      {
        file: 'tests/verification/simulation/memory/memory-transaction.ts',
        find: 'if (row === null || row.version !== actor.version)',
        replace: 'if (row === null)',
      },
      {
        file: 'tests/verification/simulation/memory/memory-transaction.ts',
        find: '      session.append(entry);\n      return { ...actor',
        replace: '      session.append({ ...entry, seq: row.version + 1 });\n      return { ...actor',
      },
    ],
    // A write over a newer row can also take back the prediction id that that one had stored.
    expects: ['I5', 'I8', 'I9', 'I11', 'I13'],
  },
  {
    name: 'sweep by id only',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'tests/verification/simulation/memory/memory-leases.ts',
        find: 'job.lease?.owner === owner && job.leaseEpoch === epoch ? { lease: null, localPass: null } : null,',
        replace: '({ lease: null, localPass: null }),',
      },
      {
        file: 'tests/verification/simulation/memory/memory-leases.ts',
        find: 'if (job.kind !== kind || FINAL_JOBS.has(job.state) || job.quarantinedAt !== null || !isFree(job, at))',
        replace: 'if (job.kind !== kind)',
      },
    ],
    expects: ['I14', 'I2', 'I26', 'I31'],
  },
  {
    name: 'start without a place of the start rate',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/actors/advance-job.ts',
        find: 'const place = await scope.tx.takeStartPlace(perMinute);',
        replace: 'const place: StartPlace = { at: event.at };',
      },
      {
        file: 'supervisors/actors/advance-job.ts',
        find: 'import type { JobWrites }',
        replace: 'import type { JobWrites, StartPlace }',
      },
    ],
    expects: ['I32'],
  },
  {
    name: 'treat a missing object as failure',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'tests/verification/simulation/object-world.ts',
        find: '        options.onDelete(objectKey);\n',
        replace: `        if (!keys.has(objectKey))
          return { kind: 'failed', errorClass: 'needs-person', error: 'NoSuchKey' };
        options.onDelete(objectKey);\n`,
      },
    ],
    expects: ['I26'],
  },
  {
    name: 'send a second input without looking whether it is gone',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/activities/send-prediction.ts',
        find: "  if (lease && job.kind === 'stagingJob' && job.details.referenceImageKey !== null)",
        replace: '  if (false && lease)',
      },
    ],
    expects: ['I37'],
  },
  {
    name: 'approve without a record',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'machines/image-review.ts',
        find: 'actions: [noteReviewer, recordApproved, recordProvenance],',
        replace: 'actions: [noteReviewer, recordApproved],',
      },
    ],
    expects: ['I39'],
  },
  {
    name: 'lift without looking for a newer submission',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/actors/deliver.ts',
        find: 'const superseded = await tx.isSubmittedAgain(id);',
        replace: 'const superseded = false;',
      },
    ],
    expects: ['I12'],
    from: 369,
  },
  {
    name: 'approve without comparing rooms',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/actors/deliver.ts',
        find: `const roomDiffers = await tx.showsOtherRoom(id);
      const approvedWithdrawn`,
        replace: `const roomDiffers = false;
      const approvedWithdrawn`,
      },
    ],
    expects: ['I45'],
    from: 517,
  },
  {
    name: 'send a second input that was withdrawn',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'tests/verification/simulation/memory/second-inputs.ts',
        find: "image.objectKey === key && image.state === 'APPROVED'",
        replace: "image.objectKey === key && image.state !== 'PENDING_REVIEW'",
      },
    ],
    expects: ['I37'],
    from: 137,
  },
  {
    name: 'take a second input that no one has approved',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'tests/verification/simulation/memory/second-inputs.ts',
        find: "state === 'APPROVED' && jobId !== null && isOfGroup",
        replace: "state !== 'REMOVED' && jobId !== null && isOfGroup",
      },
      {
        file: 'tests/verification/simulation/memory/second-inputs.ts',
        find: "image.objectKey === key && image.state === 'APPROVED'",
        replace: 'image.objectKey === key',
      },
    ],
    expects: ['I37'],
  },
  {
    name: 'let a group take photos in any style',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'tests/verification/simulation/people.ts',
        find: "const groupId = style === 'MODERN' ? original.groupId : null;",
        replace: 'const { groupId } = original;',
      },
    ],
    expects: ['I36'],
  },
  {
    name: 'write search documents without the reviewStatus filter',
    noticedBy: 'search documents',
    edits: [
      {
        file: 'persistence/search/search-documents.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the source.
        find: '  WHERE i."propertyId" = p.id AND ${isPublicPicture(\'i\')}',
        replace: '  WHERE i."propertyId" = p.id',
      },
    ],
    expects: ['I18', 'I24'],
  },
  {
    name: 'enqueue before commit without the dispatcher',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'tests/verification/simulation/people.ts',
        find: '    const id = world.newId();\n',
        replace:
          '    const id = world.newId();\n    await world.queue.reachedFrom(process).enqueue([id]).catch(() => {});\n',
      },
      {
        file: 'tests/verification/simulation/people.ts',
        find: '{ originalId, style });\n      if (jobId !== null) await queue.enqueue([jobId]);',
        replace: '{ originalId, style });\n      void jobId;',
      },
      {
        file: 'supervisors/sweepers/dispatcher.ts',
        find: '      await queue.enqueue(missing);',
        replace: '',
      },
    ],
    expects: ['I26'],
  },
  {
    name: 'buy on after the order to stop',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/runner/job-pass.ts',
        find: 'const mayBuy = () => ports.startsAllowed() && !stop.draining.aborted && !signal.aborted;',
        replace: 'const mayBuy = () => ports.startsAllowed() && !signal.aborted;',
      },
    ],
    expects: ['I28'],
  },
  {
    name: 'treat a truncated list as absent',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/sweepers/prediction-scanner.ts',
        find: 'return list.complete && mayDecide(purchase, beganAt) ? [notListed(purchase, beganAt)] : [];',
        replace: 'return mayDecide(purchase, beganAt) ? [notListed(purchase, beganAt)] : [];',
      },
    ],
    expects: ['I29'],
  },
  {
    name: 'scan the list without a turn',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/sweepers/prediction-scanner.ts',
        find: '  await takeTurn(SCAN_TURN, async () => {',
        replace: '  void takeTurn;\n  await Promise.resolve().then(async () => {',
      },
    ],
    expects: ['I33'],
  },
  {
    name: "let a desk take the scanner's turn",
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/sweepers/poll-desk.ts',
        find: 'hadTurn = await inScanTurn(ports, this.#closing.signal, (signal) => this.#scan(signal, range));',
        replace: `await ports.takeTurn(scannerTurn(0), async () => {
        hadTurn = await inScanTurn(ports, this.#closing.signal, (signal) => this.#scan(signal, range));
      });`,
      },
      {
        file: 'supervisors/sweepers/poll-desk.ts',
        find: 'import { inScanTurn, type TakeTurn }',
        replace: 'import { inScanTurn, scannerTurn, type TakeTurn }',
      },
    ],
    expects: ['I26'],
  },
  {
    name: 'trust a heartbeat of any age',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'tests/verification/simulation/memory/server-identity.ts',
        find: 'at > server.now() - SILENT_MS;',
        replace: 'at <= server.now();',
      },
    ],
    expects: ['I44', 'I2', 'I26', 'I41'],
  },
  {
    name: 'take a promoted server for the first one',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'tests/verification/simulation/memory/server-identity.ts',
        find: 'identity === ORIGINAL;',
        replace: "identity !== '';",
      },
    ],
    expects: ['I41', 'I2', 'I44'],
    from: 490,
  },
  {
    name: 'leave sentAt null on adoption',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'machines/provider-attempt-actions.ts',
        find: '      nextSendAt: null,\n      sentAt: ({ context, event }) => context.sentAt ?? event.at,\n',
        replace: '      nextSendAt: null,\n',
      },
    ],
    expects: ['I29'],
    from: 885,
  },
  {
    name: 'call a lost decoder a bad output',
    noticedBy: 'decoders',
    edits: [
      {
        file: 'src/images/decoding/decoder.ts',
        find: 'if (answer instanceof DecoderLost) continue;',
        replace: 'if (answer instanceof DecoderLost) throw blame(task, answer, isBusy);',
      },
    ],
    expects: ['OUTPUT_INVALID'],
  },
  {
    name: 'a claim usable for 1,000 s',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/activities/send-prediction.ts',
        find: 'ports.clock.now() - claimedAt < CLAIM_FRESH_MS;',
        replace: 'ports.clock.now() - claimedAt < 100 * CLAIM_FRESH_MS;',
      },
    ],
    expects: ['I2', 'I3', 'I41'],
    from: 3500,
  },
  {
    name: 'a confirmation under way counts for a later claim',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'persistence/standbys/confirmation.ts',
        find: '      if (running === null) return start();',
        replace: '      return running ?? start();',
      },
    ],
    expects: ['I3', 'I43'],
    from: 1155,
  },
  {
    name: 'confirm a withdrawal after its answer',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'persistence/standbys/confirmation.ts',
        find: 'const confirmed = before === null ? null : await confirmation.confirm();',
        replace:
          'void confirmation.confirm();\n  const confirmed = before === null ? null : { server: before };',
      },
    ],
    expects: ['I43'],
  },
  {
    name: 'count every crash',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/actors/local-pass.ts',
        find: `  if (mark === null || mark.version !== version) return null;
  return { type: 'RUNNER_CRASHED', at, pass: mark.pass, alone: certain || mark.alone };`,
        replace: `  void version;
  const { pass, alone } = mark ?? { pass: 'collect-output', alone: true };
  return { type: 'RUNNER_CRASHED', at, pass, alone: certain || alone };`,
      },
      {
        file: 'supervisors/runner/job-runner.ts',
        find: 'taken.interrupted && abandonedBy !== null && abandonedBy !== leases.owner;',
        replace: 'abandonedBy !== null && abandonedBy !== leases.owner;',
      },
    ],
    expects: ['I30'],
  },
  {
    name: 'buy again after a refused picture was collected',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'machines/staging-job.ts',
        find: `      context.errorCode !== 'OUTPUT_HOST_REFUSED' &&
`,
        replace: '',
      },
    ],
    expects: ['I4'],
  },
  {
    name: "measure leases by the worker's clock",
    noticedBy: 'simulation',
    edits: [
      {
        file: 'persistence/database/database-clock.ts',
        find: 'const now = (): number => (known === null ? machine() : Math.floor(monotonic() + known.least));',
        replace: 'const now = (): number => machine();',
      },
    ],
    expects: ['I29', 'I31'],
  },
  {
    name: 'buy with a wrong clock',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'persistence/database/database-clock.ts',
        find: 'isSkewed: () => Math.abs(skewMs()) > MAX_SKEW_MS,',
        replace: 'isSkewed: () => skewMs() === Number.POSITIVE_INFINITY,',
      },
    ],
    expects: ['I44'],
  },
  {
    name: 'renew leases without a timer',
    noticedBy: 'simulation',
    edits: [
      {
        file: 'supervisors/runner/lease-keeper.ts',
        find: '    this.#running = Promise.all([this.#beats(), this.#expiry()]);',
        replace: '    void this.#expiry;\n    this.#running = this.#beats();',
      },
    ],
    expects: ['I31'],
  },
];
