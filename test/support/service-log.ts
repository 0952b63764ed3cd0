const SHOWN = /^(?!\{)|"level":"(?:warn|error)"/;
const SHOWN_ONCE = /"(?:apiKey|sessionId|secret)": ?"([^"]+)"/g;
/** `ssk_<id>_`: what follows is the secret part of a key. */
const KEY_PREFIX = /^ssk_[0-9a-f-]{36}_/;

/** The output of a service under test. It must contain none of the secrets that the test has seen. */
export class ServiceLog {
  readonly #secrets = new Set<string>();
  readonly #lines: string[] = [];
  readonly #show: (line: string) => void;
  #rest = '';
  #printed = '';

  constructor(show: (line: string) => void) {
    this.#show = show;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Shows only warnings and errors, but keeps all. */
  write(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      this.#lines.push(line);
      if (SHOWN.test(line)) this.#show(`${line}\n`);
    }
  }

  /** Adds what the service has written to stdout, which is not shown. */
  addPrinted(text: string): void {
    this.#printed += text;
  }

  addSecret(secret: string | undefined): void {
    if (secret) this.#secrets.add(secret.replace(KEY_PREFIX, ''));
  }

  /** Adds those that an answer shows once. */
  addSecretsOf(answer: string): void {
    for (const [, secret] of answer.matchAll(SHOWN_ONCE)) this.addSecret(secret);
  }

  /** Adds variables of the environment that hold a key. */
  addEnvironment(variables: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(variables)) if (/KEY|SECRET|TOKEN/.test(name)) this.addSecret(value);
  }

  assertNoSecrets(): void {
    const lines = [...this.#lines, this.#rest, ...this.#printed.split('\n')];
    const log = lines.join('\n');
    const found = [...this.#secrets].filter((secret) => log.includes(secret));
    if (found.length > 0) {
      const line = lines.find((line) => found.some((secret) => line.includes(secret)));
      throw new Error(`The log has ${found.length} secrets, among others in: ${line}`);
    }
  }
}
