import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { EVENT_SCHEMA } from '../../../local/sqlite/event-schema.ts';
import { queueStore } from '../../../local/sqlite/queue-store.ts';
import { SCHEMA } from '../../../local/sqlite/schema.ts';

const withoutDeadLetters = { visibilitySeconds: 120, maxReceives: 3 };
const rules = { ...withoutDeadLetters, deadLetters: 'dead' };

let time = 0;
let database: DatabaseSync;
let store: ReturnType<typeof queueStore>;

beforeEach(() => {
  time = 1_000_000;
  database = new DatabaseSync(':memory:');
  database.exec(SCHEMA + EVENT_SCHEMA);
  store = queueStore(database, () => time);
});

const pass = (seconds: number) => {
  time += seconds * 1000;
};
const send = (body: string, group = 'g', deduplicationId = body) => store.send('q', { body, group, deduplicationId });
const receive = (max = 10) => store.receive('q', max, rules);
const bodies = (max?: number) => receive(max).map(({ body }) => body);

describe('turns of owners', () => {
  it('delivers first to those with the fewest messages in flight', () => {
    for (const site of ['1', '2', '3', '4']) send(`many ${site}`, `many/${site}`);
    for (const site of ['1', '2']) send(`few ${site}`, `few/${site}`);
    expect([1, 2, 3, 4, 5, 6].flatMap(() => bodies(1))).toEqual([
      'many 1',
      'few 1',
      'many 2',
      'few 2',
      'many 3',
      'many 4',
    ]);
  });

  it('counts no message that is visible again', () => {
    send('many 1', 'many/1');
    bodies(1);
    pass(120);
    send('few 1', 'few/1');
    expect(bodies(1)).toEqual(['many 1']);
  });
});

describe('the visibility timeout', () => {
  it('redelivers a message that was not acknowledged, with a higher receive count', () => {
    send('a');
    expect(receive()).toMatchObject([{ body: 'a', receiveCount: 1 }]);
    pass(119.9);
    expect(receive()).toEqual([]);
    pass(0.1);
    expect(receive()).toMatchObject([{ body: 'a', receiveCount: 2 }]);
  });

  it('allows a late acknowledgement until the message is delivered again', () => {
    send('a');
    send('b');
    const [late] = receive();
    pass(500);
    store.acknowledge('q', late?.receipt ?? '');
    expect(bodies()).toEqual(['b']);
  });

  it('voids the receipt once the message is delivered again', () => {
    send('a');
    const [first] = receive();
    pass(120);
    receive();
    store.acknowledge('q', first?.receipt ?? '');
    store.release('q', first?.receipt ?? '', 0);
    expect(receive()).toEqual([]);
    pass(120);
    expect(bodies()).toEqual(['a']);
  });

  it('moves a message to the dead-letter queue after its last receive, with a receive count of 0', () => {
    send('a');
    send('b');
    for (let n = 0; n < rules.maxReceives; n++) {
      expect(bodies()).toEqual(['a']);
      pass(120);
    }
    expect(bodies()).toEqual(['b']);
    const dead = store.receive('dead', 10, withoutDeadLetters);
    expect(dead).toMatchObject([{ body: 'a', receiveCount: 1 }]);
  });

  it('redelivers without limit if there is no dead-letter queue', () => {
    send('a');
    const counts = Array.from({ length: 6 }, () => {
      pass(120);
      return store.receive('q', 1, withoutDeadLetters)[0]?.receiveCount;
    });
    expect(counts).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('deduplication', () => {
  it('lasts for five minutes after the message that was accepted', () => {
    send('first', 'g', 'id');
    pass(299.9);
    send('repeated', 'g', 'id');
    pass(0.1);
    send('second', 'g', 'id');
    const [first] = receive();
    store.acknowledge('q', first?.receipt ?? '');
    expect([first?.body, ...bodies()]).toEqual(['first', 'second']);
  });

  it('loses no message when many ids have expired', () => {
    for (let n = 0; n < 1000; n++) send(`old ${n}`, `g${n}`, `id ${n}`);
    while (receive().length > 0);
    pass(300);
    for (let n = 999; n >= 0; n--) send(`new ${n}`, `h${n}`, `id ${n}`);
    let delivered = 0;
    for (let batch = receive(); batch.length > 0; batch = receive()) {
      delivered += batch.filter(({ body }) => body.startsWith('new')).length;
    }
    expect(delivered).toBe(1000);
  });
});

describe('a group', () => {
  it('delivers one message at a time, in order, whether it is acknowledged or not', () => {
    for (const body of ['a', 'b', 'c']) send(body);
    send('other', 'h');
    expect(bodies()).toEqual(['a', 'other']);
    pass(120);
    const again = receive();
    expect(again.map(({ body }) => body)).toEqual(['a', 'other']);
    store.release('q', again[0]?.receipt ?? '', 60);
    expect(bodies()).toEqual([]);
    pass(60);
    expect(bodies()).toEqual(['a']);
  });
});

describe('releaseInFlight', () => {
  it('makes messages in flight visible, keeps their count, and leaves delayed ones alone', () => {
    send('flying', 'a');
    send('released', 'b');
    send('new', 'c');
    store.send('q', { body: 'delayed', delaySeconds: 60 });
    const [flying, released] = receive(2);
    store.release('q', released?.receipt ?? '', 60);
    expect(store.releaseInFlight()).toBe(1);
    store.acknowledge('q', flying?.receipt ?? '');
    const counts = receive().map(({ body, receiveCount }) => [body, receiveCount]);
    expect(counts.toSorted()).toEqual([
      ['flying', 2],
      ['new', 1],
    ]);
    pass(60);
    expect(bodies().toSorted()).toEqual(['delayed', 'released']);
  });
});

describe('releaseInFlight of an uncounted queue', () => {
  it('counts a message as not received, also one whose visibility timeout has passed', () => {
    for (let start = 0; start < 10; start++) {
      if (start === 0) send('flying', 'a');
      expect(receive().map(({ body, receiveCount }) => [body, receiveCount])).toEqual([['flying', 1]]);
      pass(start * 60);
      expect(store.releaseInFlight(['other', 'q'])).toBe(1);
    }
  });

  it('counts those that have failed', () => {
    send('failing', 'a');
    receive();
    pass(120);
    receive();
    store.releaseInFlight(['q']);
    expect(receive().map(({ receiveCount }) => receiveCount)).toEqual([2]);
  });
});

describe('after a start with a clock that was turned back', () => {
  const restart = (secondsBack: number) => {
    pass(-secondsBack);
    store = queueStore(database, () => time);
    store.forgetFuture();
  };

  it.each([20, 3600, 86_400])('by %i s, delivers messages that were in flight, delayed or handed over', (seconds) => {
    send('in flight', 'a');
    receive();
    store.send('q', { body: 'delayed', delaySeconds: 900 });
    send('handed over', 'b');
    restart(seconds);
    expect(bodies().sort()).toEqual(['delayed', 'handed over', 'in flight']);
  });

  it('accepts a message again that was sent before', () => {
    send('a');
    for (const { receipt } of receive()) store.acknowledge('q', receipt);
    restart(3600);
    send('a');
    expect(bodies()).toEqual(['a']);
  });

  it('keeps waiting for messages whose delay is not over, if the clock only went on', () => {
    store.send('q', { body: 'delayed', delaySeconds: 900 });
    restart(-899);
    expect(bodies()).toEqual([]);
    pass(1);
    expect(bodies()).toEqual(['delayed']);
  });
});
