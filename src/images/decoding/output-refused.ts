/** The provider's picture is not what was ordered; `errorCode` says what the attempt fails with. */
export class OutputRefused extends Error {
  readonly errorCode: 'OUTPUT_INVALID' | 'OUTPUT_TOO_LARGE';

  constructor(errorCode: OutputRefused['errorCode'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OutputRefused';
    this.errorCode = errorCode;
  }
}
