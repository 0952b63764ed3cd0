import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Value } from '../../domain/ports/table.ts';
import { attributeOf } from './attribute-values.ts';

/** Collects the field names and values of one request's expressions, so that an expression holds only `#0` and `:0`. */
export class Placeholders {
  readonly #names = new Map<string, string>();
  readonly #values: AttributeValue[] = [];

  name(field: string): string {
    const known = this.#names.get(field) ?? `#${this.#names.size}`;
    this.#names.set(field, known);
    return known;
  }

  value(value: Value): string {
    this.#values.push(attributeOf(value));
    return `:${this.#values.length - 1}`;
  }

  /** Leaves out empty maps, which DynamoDB rejects. */
  parameters() {
    const names = Object.fromEntries([...this.#names].map(([field, name]) => [name, field]));
    const values = Object.fromEntries(this.#values.map((value, index) => [`:${index}`, value]));
    return {
      ...(this.#names.size > 0 && { ExpressionAttributeNames: names }),
      ...(this.#values.length > 0 && { ExpressionAttributeValues: values }),
    };
  }
}
