/** The section of a WebAssembly module that declares its memory, and the bit that says that it has a limit. */
const MEMORY_SECTION = 5;
const HAS_LIMIT = 1;
/** The magic number and the version. */
const HEAD_BYTES = 8;
const PAGE_BYTES = 65_536;

/**
 * The module with a limit for its memory: it declares none by itself, and a file may make it take gigabytes. Beyond the
 * limit its memory does not grow, which ends what it does with a `WebAssembly.RuntimeError`.
 * @throws Error for a module without a memory of its own, or with a limit already
 */
export function withMemoryLimit(module: Uint8Array, bytes: number): Uint8Array<ArrayBuffer> {
  for (let at = HEAD_BYTES; at < module.length; ) {
    const size = readNumber(module, at + 1);
    const end = size.end + size.value;
    if (module[at] === MEMORY_SECTION) {
      const body = module.subarray(size.end, end);
      const [count, flags] = body;
      if (count !== 1 || flags !== 0) throw new Error('The module declares its memory in another way');
      const limited = [count, HAS_LIMIT, ...body.subarray(2), ...writeNumber(bytes / PAGE_BYTES)];
      const section = [MEMORY_SECTION, ...writeNumber(limited.length), ...limited];
      const whole = new Uint8Array(module.length - (end - at) + section.length);
      whole.set(module.subarray(0, at));
      whole.set(section, at);
      whole.set(module.subarray(end), at + section.length);
      return whole;
    }
    at = end;
  }
  throw new Error('The module has no memory of its own');
}

/** Numbers have seven bits a byte, the lowest first; the eighth says that more follow. */
function readNumber(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = start; ; at += 1) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - start));
    if (byte < 0x80) return { value, end: at + 1 };
  }
}

const writeNumber = (value: number): readonly number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeNumber(Math.floor(value / 0x80))];
