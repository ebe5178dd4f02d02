import { registerHooks } from 'node:module';

/** Preloaded into a role (NODE_OPTIONS): prints every module of OpenTelemetry's SDK when it is loaded. */
registerHooks({
  load(url, context, next) {
    const loaded = /@opentelemetry\/((?!api\/|semantic-conventions\/)[\w-]+)\//.exec(url)?.[1];
    if (loaded !== undefined) process.stderr.write(`loaded ${loaded}\n`);
    return next(url, context);
  },
});
