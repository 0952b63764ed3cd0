import { describe, expect, it } from '@jest/globals';
import { builtinEmbedder } from '../../../lambdas/connectors/embedder/builtin.ts';
import { extractiveAnswer } from '../../../lambdas/domain/answers/extractive-answer.ts';
import { chunkPage } from '../../../lambdas/text/chunking/chunks.ts';
import { extractHtml } from '../../../lambdas/text/extraction/extract-html.ts';
import { extractText } from '../../../lambdas/text/extraction/extract-text.ts';

const URL_OF_PAGE = 'https://docs.example/page';
const embedder = builtinEmbedder();

function quoting(page: string) {
  const { title, blocks } = page.startsWith('<') ? extractHtml(page, URL_OF_PAGE) : extractText(page, URL_OF_PAGE);
  const parts = chunkPage(blocks).map(({ ord, headings, text }) => ({ ord, headings, text, score: 0.8 }));
  const source = { url: URL_OF_PAGE, title, text: parts[0]?.text ?? '', relevance: 0.8, language: 'en', headed: '' };
  return async (question: string): Promise<string> => {
    const { answer } = await extractiveAnswer(question, [{ ...source, version: 'a', parts }], ['en'], embedder);
    return answer;
  };
}

const ELASTIC_INFERENCE = `# What Is Amazon Elastic Inference?<a name="what-is-ei"></a>

Amazon Elastic Inference \\(Elastic Inference\\) is a resource that you can attach to your instances to accelerate deep
learning \\(DL\\) inference&mdash;without a GPU\\. It is faster by a factor of 1\\.25\\.

You can use it in the following use cases:
+ For **TensorFlow** and Apache MXNet, see [Using the DLAMI](ei-dlami.md)\\.
+ For custom applications, use the [Elastic Inference C\\+\\+ API](api.md)

## Accelerator Types<a name="ei-types"></a>

The following table lists the available accelerator types\\.

| Accelerator Type | FP32 throughput | F16 throughput | Memory \\(GB\\) |
| --- | --- | --- | --- |
| ml\\.eia1\\.medium | 1 | 8 | 1 |
| ml\\.eia1\\.large | 2 | 16 | 2 |
| ml\\.eia1\\.xlarge | 4 | 32 | 4 |

## Create an Endpoint<a name="create"></a>

To create an interface endpoint to Elastic Inference, use the following command:

\`\`\`
aws ec2 create-vpc-endpoint --vpc-id vpc-1 \\
  --service-name com.amazonaws.region.elastic-inference.runtime
\`\`\`
`;

const STATIONS = `<title>Weather stations</title><main><h1>Weather stations</h1><p>All stations of the network.</p>
<table><thead><tr><th>Station<th>Height<th>Built in<th>Sensor</thead><tbody><tr><th>Arnholm<td>310 m<td>1987<td>barometer
<tr><th>Beltsund<td>42 m<td>2003<td>rain gauge<tr><th>Corvik<td>1250 m<td>1965<td>anemometer</tbody></table>
<h2>Prices</h2><table><tr><th rowspan=2>Part<th colspan=2>Price in euros</tr><tr><th>Members<th>Guests</tr>
<tr><td rowspan=2>Funnel<td>12<td>15</tr><tr><td>13<td>18</tr><tr><td>Vane<td>30<td>45</tr></table>
<h2>Staff of Corvik</h2><table><tr><th>Director<td>Jana Holm<tr><th>Founded<td>1951</table>
<h2>Buses</h2><table><tr><td>Line 4<td>08:15<td>harbour<tr><td>Line 7<td>09:40<td>airport</table></main>`;

const MILL = `<title>The mill</title><main><h1>The mill</h1><p>Words that millers use every day.</p>
<dl><dt>hopper</dt><dd>A funnel that holds the grain above the stones.</dd><dt>bedstone</dt><dd>lower, fixed stone</dd>
<dt>runner stone</dt><dd><p>Upper stone.</p><p>Turns at 120 revolutions per minute.</p></dd></dl>
<h2>Grades</h2><p>The mill sells these grades:</p><ul><li>Fine flour, sieved twice<ul><li>for cakes</li><li>for sauces and
batter</li></ul></li><li>Whole flour, with the bran</li></ul>
<h2>Starting</h2><p>A terminal is beside the door. Start the stones with the <code>mill</code> command.</p>
<pre><code>mill start \\
  --log https://mill.example/log

mill status &lt;all&gt;</code></pre><p>The display shows the speed.</p></main>`;

describe('a quoted answer', () => {
  it.each([
    [ELASTIC_INFERENCE, 'What is the F16 throughput of ml.eia1.medium?', 'ml.eia1.medium: F16 throughput 8 [1]'],
    [ELASTIC_INFERENCE, 'How much memory does ml.eia1.xlarge have?', 'ml.eia1.xlarge: Memory (GB) 4 [1]'],
    [STATIONS, 'What sensor does Arnholm have?', 'Arnholm: Sensor barometer [1]'],
    [STATIONS, 'When was Beltsund built?', 'Beltsund: Built in 2003 [1]'],
    [STATIONS, 'What does a vane cost for guests?', 'Vane: Price in euros Guests 45 [1]'],
    [STATIONS, 'Who is the director of Corvik?', 'Director: Jana Holm [1]'],
    [STATIONS, 'When does bus line 7 go to the airport?', 'Line 7: 09:40, airport [1]'],
  ])('has the row of a table with the headings that are asked for', async (page, question, answer) => {
    expect(await quoting(page)(question)).toBe(answer);
  });

  it.each([
    [MILL, 'What is a hopper?', 'hopper: A funnel that holds the grain above the stones. [1]'],
    [MILL, 'What is a bedstone?', 'bedstone: lower, fixed stone [1]'],
    [
      MILL,
      'How fast does the runner stone turn?',
      'runner stone: Upper stone. Turns at 120 revolutions per minute. [1]',
    ],
  ])('has a definition with its term', async (page, question, answer) => {
    expect(await quoting(page)(question)).toBe(answer);
  });

  it('has several rows as a list, and a term once', async () => {
    expect(await quoting(STATIONS)('How much do a funnel and a vane cost for guests?')).toMatch(
      /^- Funnel: Price in euros Guests \d+\n- Vane: Price in euros Guests 45 \[1\]$/,
    );
    expect(await quoting(MILL)('Which grades does the mill sell?')).toBe(
      'The mill sells these grades:\n- Fine flour, sieved twice\n- for cakes\n- for sauces and batter\n' +
        '- Whole flour, with the bran [1]',
    );
  });

  it.each([
    [MILL, 'Which flour is with the bran?', 'The mill sells these grades:\n- Whole flour, with the bran [1]'],
    [
      ...[MILL, 'Which flour is for sauces?'],
      'The mill sells these grades:\n- Fine flour, sieved twice: for sauces and batter [1]',
    ],
    [
      ...[ELASTIC_INFERENCE, 'What do I use for custom applications?'],
      'You can use it in the following use cases:\n- For custom applications, use the Elastic Inference C++ API [1]',
    ],
  ] as [string, string, string][])(
    'has the item of a list with the lead of the list',
    async (page, question, answer) => {
      expect(await quoting(page)(question)).toBe(answer);
    },
  );

  it('has code as code, below the sentence before it, without addresses of other sites', async () => {
    expect(await quoting(MILL)('How do I start the stones?')).toBe(
      'Start the stones with the mill command. [1]\n\n' +
        '```\nmill start \\\n  --log mill.example/log\n\nmill status <all>\n```',
    );
    expect(await quoting(ELASTIC_INFERENCE)('How do I create an interface endpoint?')).toBe(
      'To create an interface endpoint to Elastic Inference, use the following command: [1]\n\n' +
        '```\naws ec2 create-vpc-endpoint --vpc-id vpc-1 \\\n' +
        '  --service-name com.amazonaws.region.elastic-inference.runtime\n```',
    );
  });

  it('leaves out code that no instruction is asked for', async () => {
    expect(await quoting(MILL)('Where is the terminal?')).not.toContain('```');
  });

  it('cuts a long sample between two lines', async () => {
    const code = Array.from({ length: 40 }, (_, i) => `mill --stone ${i}`).join('\n');
    const answer = await quoting(`# Mill\n\nTo start all stones, run this:\n\n\`\`\`\n${code}\n\`\`\``)(
      'How do I start all stones?',
    );
    expect(answer).toMatch(/\nmill --stone 14\n…\n```$/);
  });

  it('has no escapes, entities or tags of Markdown', async () => {
    const answer = await quoting(ELASTIC_INFERENCE)('What is Elastic Inference?');
    expect(answer).toContain('Amazon Elastic Inference (Elastic Inference) is a resource that you can attach to your');
    expect(answer).toContain('inference—without a GPU.');
    expect(answer).not.toMatch(/\\[^\n]|&\w+;|<a/);
  });
});
