import * as z from 'zod';
import { MAX_PATH } from '../../text/fields/field-source.ts';
import { urlPatternFault } from '../../text/fields/url-value.ts';

/** Names that begin with `@` are not read, except for the type of the outermost object. */
const JSON_LD_PATH = /^(?:@type|[^\s.@][^\s.]*(?:\.[^\s.@][^\s.]*)*)$/;
const MAX_SELECTOR = 200;
const FORMS = 'must have one of meta, jsonLd, urlPattern and selector, as in {"meta": "docsearch:version"}';

const told = (faultOf: (text: string) => string | undefined) => (text: string, issues: z.RefinementCtx) => {
  const message = faultOf(text);
  if (message !== undefined) issues.addIssue({ code: 'custom', message });
};

/** The source of a field's value on a page. */
export const MetadataSource = z
  .strictObject({
    meta: z
      .string()
      .trim()
      .min(1)
      .max(MAX_PATH)
      .optional()
      .describe('the `name` or `property` of a `meta` tag, in any case; several tags give a list'),
    jsonLd: z
      .string()
      .max(MAX_PATH)
      .regex(JSON_LD_PATH, 'must be a property such as articleSection, or a path such as author.name')
      .optional()
      .describe(
        'a property such as `articleSection`, or a path such as `author.name`, in the JSON-LD of a page; that of the ' +
          'outermost objects counts, several values give a list, and an object counts by its `name`',
      ),
    urlPattern: z
      .string()
      .max(1000)
      .superRefine(told(urlPatternFault))
      .optional()
      .describe(
        'what the path begins with, or the whole URL if it begins with `https://`; exactly one `*` stands for one or ' +
          'more characters other than slashes, and these are the value: `/docs/*` gives `15` for `/docs/15/sql.html`',
      ),
    selector: z
      .string()
      .max(MAX_SELECTOR)
      .superRefine(async (selector, issues) => {
        const { selectorFault } = await import('../../text/html/selector-syntax.ts');
        told(selectorFault)(selector, issues);
      })
      .optional()
      .describe(
        'a CSS selector such as `.version` or `#nav > li[data-version]`; the text ' +
          'of the first element that matches is the value. Pages that are indexed already are filled by the next crawl',
      ),
  })
  .refine((source) => Object.values(source).filter((value) => value !== undefined).length === 1, FORMS)
  .meta({ id: 'MetadataSource', minProperties: 1, maxProperties: 1 });
