/* Written by `npm run openapi` from the routes. */

export interface paths {
  "/sites": {
    /** List the sites of the organisation */
    get: operations["list-sites"];
    /** Create a site; it has no pages until a crawl or an ingestion */
    post: operations["create-site"];
  };
  "/organisations/{orgId}/ai-search/sites": {
    /** List the sites of the organisation */
    get: operations["list-sites-in-organisation"];
    /** Create a site; it has no pages until a crawl or an ingestion */
    post: operations["create-site-in-organisation"];
  };
  "/sites/{siteId}": {
    /** Get a site with its settings and state */
    get: operations["get-site"];
    /** Change settings: objects by field, lists as a whole; null clears an optional field */
    put: operations["update-site"];
    /** Delete a site and all of its content */
    delete: operations["delete-site"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}": {
    /** Get a site with its settings and state */
    get: operations["get-site-in-organisation"];
    /** Change settings: objects by field, lists as a whole; null clears an optional field */
    put: operations["update-site-in-organisation"];
    /** Delete a site and all of its content */
    delete: operations["delete-site-in-organisation"];
  };
  "/sites/{siteId}/crawl": {
    /** Start a crawl; the body overrides settings of the site for this job */
    post: operations["start-crawl"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/crawl": {
    /** Start a crawl; the body overrides settings of the site for this job */
    post: operations["start-crawl-in-organisation"];
  };
  "/sites/{siteId}/jobs": {
    /** List the crawl jobs of a site, newest first */
    get: operations["list-site-jobs"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/jobs": {
    /** List the crawl jobs of a site, newest first */
    get: operations["list-site-jobs-in-organisation"];
  };
  "/jobs/{jobId}": {
    /** Get a crawl job and its progress */
    get: operations["get-job"];
    /** Cancel a crawl job; a job that has ended stays unchanged */
    delete: operations["cancel-job"];
  };
  "/sites/{siteId}/crawl/{jobId}": {
    /** Get a crawl job and its progress */
    get: operations["get-job-of-site"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/crawl/{jobId}": {
    /** Get a crawl job and its progress */
    get: operations["get-job-of-site-in-organisation"];
  };
  "/jobs/{jobId}/pages": {
    /** List the URLs of a crawl job with outcome and reason */
    get: operations["list-job-pages"];
  };
  "/sites/{siteId}/crawl-urls": {
    /** Get the saved crawl scope; if it is empty, crawls visit the whole site */
    get: operations["get-crawl-urls"];
    /** Replace the saved crawl scope: later crawls visit only these URLs */
    put: operations["replace-crawl-urls"];
    /** Clear the saved crawl scope */
    delete: operations["clear-crawl-urls"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/crawl-urls": {
    /** Get the saved crawl scope; if it is empty, crawls visit the whole site */
    get: operations["get-crawl-urls-in-organisation"];
    /** Replace the saved crawl scope: later crawls visit only these URLs */
    put: operations["replace-crawl-urls-in-organisation"];
    /** Clear the saved crawl scope */
    delete: operations["clear-crawl-urls-in-organisation"];
  };
  "/sites/{siteId}/schedules": {
    /** List the crawl schedules of a site: at most one */
    get: operations["list-schedules"];
    /** Set the crawl schedule of a site; the first crawl starts after one interval */
    post: operations["set-schedule"];
    /** Delete the crawl schedule of a site */
    delete: operations["delete-schedule"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/schedules": {
    /** List the crawl schedules of a site: at most one */
    get: operations["list-schedules-in-organisation"];
    /** Set the crawl schedule of a site; the first crawl starts after one interval */
    post: operations["set-schedule-in-organisation"];
    /** Delete the crawl schedule of a site */
    delete: operations["delete-schedule-in-organisation"];
  };
  "/sites/{siteId}/pages": {
    /** List the indexed pages of a site by URL */
    get: operations["list-pages"];
    /** Add or replace pages without a crawl */
    post: operations["ingest-pages"];
    /** Delete pages by URL, pattern or key */
    delete: operations["delete-pages"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/pages": {
    /** List the indexed pages of a site by URL */
    get: operations["list-pages-in-organisation"];
    /** Add or replace pages without a crawl */
    post: operations["ingest-pages-in-organisation"];
    /** Delete pages by URL, pattern or key */
    delete: operations["delete-pages-in-organisation"];
  };
  "/sites/{siteId}/purge": {
    /** Delete every indexed page of a site; the site stays */
    post: operations["purge-site"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/purge": {
    /** Delete every indexed page of a site; the site stays */
    post: operations["purge-site-in-organisation"];
  };
  "/sites/{siteId}/index-pages": {
    /** List the pages of the index with their chunks and source */
    get: operations["list-index-pages"];
    /** Delete pages by URL */
    delete: operations["delete-index-pages"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/index-pages": {
    /** List the pages of the index with their chunks and source */
    get: operations["list-index-pages-in-organisation"];
    /** Delete pages by URL */
    delete: operations["delete-index-pages-in-organisation"];
  };
  "/sites/{siteId}/health": {
    /** Say what is wrong with a site, as its last completed crawl has seen it, and what to do */
    get: operations["get-health"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/health": {
    /** Say what is wrong with a site, as its last completed crawl has seen it, and what to do */
    get: operations["get-health-in-organisation"];
  };
  "/sites/{siteId}/trace": {
    /** Say why a URL is or is not found, and with `q` how a search ranks it */
    get: operations["trace-url"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/trace": {
    /** Say why a URL is or is not found, and with `q` how a search ranks it */
    get: operations["trace-url-in-organisation"];
  };
  "/sites/{siteId}/test-url": {
    /** Fetch and read one URL of the site as a crawl would, without indexing it */
    post: operations["test-url"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/test-url": {
    /** Fetch and read one URL of the site as a crawl would, without indexing it */
    post: operations["test-url-in-organisation"];
  };
  "/sites/{siteId}/preview": {
    /** Search a site, and ask it, with boosts that are not saved; analytics do not count it */
    post: operations["preview-search"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/preview": {
    /** Search a site, and ask it, with boosts that are not saved; analytics do not count it */
    post: operations["preview-search-in-organisation"];
  };
  "/sites/{siteId}/reviews": {
    /** List the reviews of held removals, newest first */
    get: operations["list-reviews"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/reviews": {
    /** List the reviews of held removals, newest first */
    get: operations["list-reviews-in-organisation"];
  };
  "/sites/{siteId}/reviews/{reviewId}": {
    /** Get a review with its URLs, 10,000 per page */
    get: operations["get-review"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/reviews/{reviewId}": {
    /** Get a review with its URLs, 10,000 per page */
    get: operations["get-review-in-organisation"];
  };
  "/sites/{siteId}/reviews/{reviewId}/approve": {
    /** Approve a removal: fetch every URL again and delete the pages still gone */
    post: operations["approve-review"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/reviews/{reviewId}/approve": {
    /** Approve a removal: fetch every URL again and delete the pages still gone */
    post: operations["approve-review-in-organisation"];
  };
  "/sites/{siteId}/reviews/{reviewId}/reject": {
    /** Reject a removal: keep its pages */
    post: operations["reject-review"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/reviews/{reviewId}/reject": {
    /** Reject a removal: keep its pages */
    post: operations["reject-review-in-organisation"];
  };
  "/sites/{siteId}/webhooks": {
    /** List the webhooks of a site and its last 50 deliveries */
    get: operations["list-webhooks"];
    /** Create a webhook; its secret is shown only once */
    post: operations["create-webhook"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/webhooks": {
    /** List the webhooks of a site and its last 50 deliveries */
    get: operations["list-webhooks-in-organisation"];
    /** Create a webhook; its secret is shown only once */
    post: operations["create-webhook-in-organisation"];
  };
  "/sites/{siteId}/webhooks/{webhookId}": {
    /** Delete a webhook; nothing more is sent to it */
    delete: operations["delete-webhook"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/webhooks/{webhookId}": {
    /** Delete a webhook; nothing more is sent to it */
    delete: operations["delete-webhook-in-organisation"];
  };
  "/sites/{siteId}/webhooks/{webhookId}/test": {
    /** Send a test event to a webhook now, in one attempt */
    post: operations["test-webhook"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/webhooks/{webhookId}/test": {
    /** Send a test event to a webhook now, in one attempt */
    post: operations["test-webhook-in-organisation"];
  };
  "/groups": {
    /** List the search groups of the organisation */
    get: operations["list-groups"];
    /** Create a group of sites that are searched together */
    post: operations["create-group"];
  };
  "/groups/{groupId}": {
    /** Get a search group with its settings */
    get: operations["get-group"];
    /** Change settings of a group, by the rules of a site */
    put: operations["update-group"];
    /** Delete a group; its sites stay */
    delete: operations["delete-group"];
  };
  "/public/sites/{siteId}/search": {
    /** Search a site, best results first */
    get: operations["search-site"];
    /** Search by POST, for queries too long for a URL; never cached */
    post: operations["search-site-by-post"];
  };
  "/public/sites/{siteId}/facets": {
    /** Get the values of the facets of a site with counts, also of `tags` and `language` */
    get: operations["get-site-facets"];
  };
  "/public/sites/{siteId}/suggest": {
    /** Suggest page titles and frequent queries of a site */
    get: operations["suggest-in-site"];
  };
  "/public/sites/{siteId}/events": {
    /** Record that a result was opened, or whether an answer helped */
    post: operations["record-event"];
  };
  "/public/groups/{groupId}/search": {
    /** Search all sites of a group, in one ranking */
    get: operations["search-group"];
    /** Search by POST, for queries too long for a URL; never cached */
    post: operations["search-group-by-post"];
  };
  "/public/groups/{groupId}/facets": {
    /** Get the values of the facets of the sites of a group with counts */
    get: operations["get-group-facets"];
  };
  "/public/groups/{groupId}/suggest": {
    /** Suggest page titles of the sites of a group */
    get: operations["suggest-in-group"];
  };
  "/public/sites/{siteId}/page": {
    /** Get a page of a site as Markdown, or as JSON with its Markdown, headings and links */
    get: operations["get-site-page"];
  };
  "/public/sites/{siteId}/llms.txt": {
    /** List the pages of a site with summaries, for language models */
    get: operations["get-llms-txt"];
  };
  "/public/sites/{siteId}/chat": {
    /** Answer a question from a site, with sources */
    post: operations["chat-with-site"];
  };
  "/public/groups/{groupId}/chat": {
    /** Answer a question from a group of sites, with sources */
    post: operations["chat-with-group"];
  };
  "/public/sites/{siteId}/mcp": {
    /** Speak MCP with a site: agents search it and read its pages */
    post: operations["call-site-mcp"];
  };
  "/public/groups/{groupId}/mcp": {
    /** Speak MCP with a group: agents search its sites and read their pages */
    post: operations["call-group-mcp"];
  };
  "/mcp": {
    /** Speak MCP with the organisation: agents use the operations of this API as tools */
    post: operations["call-owner-mcp"];
  };
  "/analytics": {
    /** Get searches, chats and top queries of the organisation or one site */
    get: operations["get-analytics"];
  };
  "/usage": {
    /** Get the use of models and index in a month */
    get: operations["get-usage"];
  };
  "/sites/{siteId}/usage": {
    /** Get searches, chats and tokens of a site by day */
    get: operations["get-site-usage"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/usage": {
    /** Get searches, chats and tokens of a site by day */
    get: operations["get-site-usage-in-organisation"];
  };
  "/sites/{siteId}/top-queries": {
    /** List the most frequent queries of a site */
    get: operations["list-top-queries"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/top-queries": {
    /** List the most frequent queries of a site */
    get: operations["list-top-queries-in-organisation"];
  };
  "/sites/{siteId}/content-gaps": {
    /** List what visitors of a site did not find, grouped by meaning */
    get: operations["list-content-gaps"];
  };
  "/organisations/{orgId}/ai-search/sites/{siteId}/content-gaps": {
    /** List what visitors of a site did not find, grouped by meaning */
    get: operations["list-content-gaps-in-organisation"];
  };
  "/keys": {
    /** List the API keys of the organisation, newest first, without secrets; a revoked key for 90 days */
    get: operations["list-keys"];
    /** Create an API key; its secret is shown only once */
    post: operations["create-key"];
  };
  "/keys/{keyId}": {
    /** Revoke an API key; it stops working within 30 seconds */
    delete: operations["revoke-key"];
  };
  "/organisation": {
    /** Get the organisation of the key: plan, role, quotas and use */
    get: operations["get-organisation"];
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    AnalyticsResponse: {
      /** @description the sum of the searches of dailyUsage */
      totalSearches: number;
      /** @description the sum of the chats of dailyUsage */
      totalChats: number;
      /** @description the sum of siteBreakdown */
      totalPagesIndexed: number;
      /** @description the ten most frequent queries, most frequent first */
      topQueries: components["schemas"]["TopQuery"][];
      /** @description the figures of each site */
      siteBreakdown: {
        /**
         * Format: uuid
         * @description the id of the site
         */
        id: string;
        /** @description the name of the site */
        name: string;
        /** @description indexed pages */
        pagesIndexed: number;
        /** @description searches */
        searches: number;
        /** @description questions to the chat */
        chats: number;
      }[];
      /** @description oldest first */
      dailyUsage: components["schemas"]["Day"][];
      /** @description what came of them on the same days */
      dailyOutcomes?: components["schemas"]["DayOutcomes"][];
      /** @description what was searched and not found */
      zeroResults?: {
        /** @description searches without a result */
        searches: number;
        /** @description the ten most frequent of them */
        queries: components["schemas"]["TopQuery"][];
      };
      /** @description what visitors opened, as far as the search page records it (`record-event`) */
      clicks?: {
        /** @description results that visitors opened */
        total: number;
        /** @description clicks per search; null without searches */
        rate: number | null;
        /** @description 1 is the first result; null without clicks */
        meanPosition: number | null;
      };
      /** @description questions without an answer */
      refusals?: {
        /** @description questions that the pages do not answer */
        chats: number;
        /** @description the ten most frequent of them */
        questions: components["schemas"]["TopQuery"][];
      };
      /** @description what visitors said about answers */
      feedback?: {
        /** @description answers that helped */
        helpful: number;
        /** @description answers that did not help */
        unhelpful: number;
      };
      /** @description tokens that chats did not pay, because an answer was used again */
      savedTokens?: number;
      /** @description what AI agents did by MCP; no other figure contains them */
      agents?: {
        /** @description searches of agents */
        searches: number;
        /** @description searches of agents without a result */
        noResults: number;
        /** @description parts of pages that agents read */
        pagesRead: number;
        /** @description questions of agents to the tool `answer` */
        answers: number;
        /** @description results that agents call helpful */
        helpful: number;
        /** @description results that agents call not helpful */
        unhelpful: number;
        /** @description the ten most frequent queries of agents */
        topQueries: components["schemas"]["TopQuery"][];
      };
    };
    ApiKey: {
      /**
       * Format: uuid
       * @description the id of the key, which is no secret
       */
      keyId: string;
      /** @description who or what uses the key */
      name: string;
      /**
       * @description what the key may do: each role includes those after it
       * @enum {string}
       */
      role: "owner" | "admin" | "member";
      /** @description the last four characters of the key */
      hint: string;
      /** @description when it was created, in epoch seconds */
      createdAt: number;
      /** @description when it stops working, in epoch seconds; null: never */
      expiresAt: number | null;
      /** @description when it was revoked, in epoch seconds; null: not */
      revokedAt: number | null;
      /** @description in epoch seconds, to the hour; null: never */
      lastUsedAt: number | null;
    };
    ApiKeyList: {
      /** @description newest first */
      keys: components["schemas"]["ApiKey"][];
      /** @description the `cursor` of the next page, or null */
      nextCursor: string | null;
      /** @description whether there is a next page */
      hasMore: boolean;
    };
    ChatRequest: {
      /** @description the question */
      message?: string;
      /** @description another name for `message`; give one, or two that are equal */
      query?: string;
      /** @description from an earlier answer; an unknown or expired one is replaced */
      sessionId?: string;
      /** @description which pages may be found; every field must match */
      filters?: components["schemas"]["Filters"];
      /** @description the page that the visitor is reading */
      contextUrl?: string;
    };
    ChatResponse: {
      /** @description may contain Markdown */
      response: string;
      /** @description the same as `response` */
      answer: string;
      /** @description the pages that the answer is taken from, in the order of its citations */
      sources: components["schemas"]["ChatSource"][];
      /** @description absent if sessions are not kept */
      sessionId?: string;
      /** @description tokens of models, input and output; 0 for an answer that quotes */
      tokensUsed: number;
    };
    ChatSource: {
      /** @description the address of the page */
      url: string;
      /** @description the title of the page */
      title: string;
      /** @description how well the page fits the question, 0 to 1 */
      relevance: number;
      /** @description the same as `relevance` */
      score: number;
    };
    Click: {
      /**
       * @description a result was opened
       * @enum {string}
       */
      type: "click";
      /** @description the query of the search */
      query: string;
      /** @description of the result */
      url: string;
      /** @description 1 for the first result */
      position: number;
    };
    ContentGapsResponse: {
      /**
       * Format: uuid
       * @description the id of the site
       */
      siteId: string;
      /** @description the days that are counted, as requested: `30d` */
      range: string;
      /** @description most frequent first */
      gaps: {
        /** @description the most frequent one of the group */
        query: string;
        /** @description searches without a result or a click, refused questions, and failures of agents */
        count: number;
        /** @description searches without a result */
        noResults: number;
        /** @description searches without a click; 0 while the site records no clicks */
        noClick: number;
        /** @description questions that the pages do not answer */
        refused: number;
        /** @description failures of AI agents: no result, no answer, or feedback that it did not help */
        agents: number;
        /** @description different queries of this meaning */
        queries: number;
        /** @description the five most frequent of these queries */
        examples: components["schemas"]["TopQuery"][];
      }[];
    };
    Correction: {
      /** @description as typed */
      from: string;
      /** @description as searched */
      to: string;
    };
    CrawlJob: {
      /**
       * Format: uuid
       * @description the id of the crawl job
       */
      jobId: string;
      /**
       * Format: uuid
       * @description the id of the site
       */
      siteId: string;
      /**
       * @description `pending` until a worker begins it; the last three are ends
       * @enum {string}
       */
      status: "pending" | "running" | "completed" | "failed" | "cancelled";
      /** @description when it was started by a call or a schedule, in epoch seconds */
      createdAt: number;
      /** @description when a worker began it, in epoch seconds */
      startedAt?: number;
      /** @description when it ended, in epoch seconds; null until then */
      completedAt: number | null;
      /** @description all URLs found; at the end the sum of pagesProcessed, pagesSkipped, pagesErrored */
      pagesDiscovered: number;
      /** @description URLs that answered 200 or 304, whatever their outcome */
      pagesCrawled: number;
      /** @description pages with the outcome indexed or unchanged */
      pagesProcessed: number;
      /** @description URLs with the outcome skipped or duplicate, and those not visited before the end */
      pagesSkipped: number;
      /** @description URLs with the outcome gone or failed */
      pagesErrored: number;
      /** @description equal to pagesErrored */
      errors: number;
      /** @description absent for jobs of an earlier version */
      outcomes?: components["schemas"]["JobOutcomes"];
      /** @description present for a dry run */
      dryRun?: {
        /** @description pages that would be new in the index */
        added: number;
        /** @description pages that would be indexed again */
        changed: number;
        /** @description pages that would stay as they are */
        unchanged: number;
        /** @description tokens of texts that have no vector yet, estimated */
        embeddingTokens: number;
        /** @description pages that would be removed, or held; absent unless the whole site was seen */
        gone?: number;
        /** @description the first 50 of them */
        gonePages?: {
          /** @description the page */
          url: string;
          /** @description why it is gone */
          reason: string;
        }[];
      };
      /** @description pages that were removed from the index because they are gone */
      pagesRemoved: number;
      /** @description indexed pages with almost the text of another: nearDuplicateOf */
      nearDuplicates?: number;
      /** @description pages whose removal waits for a review */
      pagesHeld?: number;
      /**
       * Format: uuid
       * @description the review of the pages held
       */
      reviewId?: string;
      /** @description the URL that was handled last, while the job runs */
      currentUrl?: string;
      /** @description the task of the worker */
      taskId: string;
      /** @description what was accepted and has no effect, or another one than it seems; absent if there is nothing to say */
      warnings?: string[];
      /** @description done, limit, cancelled, or the code of the failure */
      endReason?: string;
      /** @description a message about the failure */
      error?: string;
      /** @description false if its URLs can no longer be listed: those of the newest ten jobs of a site are kept */
      pagesAvailable?: boolean;
    };
    CrawlJobList: {
      /** @description newest first */
      jobs: components["schemas"]["CrawlJob"][];
      /** @description the `cursor` of the next page, or null */
      nextCursor: string | null;
      /** @description whether there is a next page */
      hasMore: boolean;
    };
    CrawlOverrides: {
      /** @description pages that a crawl may read; 100 for a new site */
      maxPages?: number;
      /** @description links from the start page; 3 for a new site */
      maxDepth?: number;
      /** @description whether robots.txt is obeyed; true for a new site */
      respectRobotsTxt?: boolean;
      /** @description never these URLs: globs that match the whole URL, or path and query if they start with `/`; or `regex:` and an RE2 expression; exclude wins; one that can match no URL of the site is refused */
      excludePatterns?: string[];
      /** @description only these URLs, by default all: globs that match the whole URL, or path and query if they start with `/`; or `regex:` and an RE2 expression; exclude wins; one that can match no URL of the site is refused */
      includePatterns?: string[];
      /** @description `true` shows every page in a browser, `auto` those whose HTML is empty without their scripts; false for a new site */
      javascriptEnabled?: boolean | "auto";
      /** @description milliseconds between the starts of two requests; without it none, with 5 connections */
      delayMs?: number;
      /** @description the next crawl visits only these URLs, follows no links and ignores the saved crawl scope */
      singleUrls?: string[];
      /** @description lists of URLs to crawl; without it those in robots.txt, else `/sitemap.xml` */
      sitemaps?: components["schemas"]["Sitemap"][];
      /** @description a CSS selector such as `main article`: the content of a page is all that its elements show. On a page without one, the content is found as on any other page */
      contentSelector?: string;
      /** @description CSS selectors of what is left out of the content, as `data-search-ignore` does; links in it are followed */
      excludeSelectors?: string[];
      /** @description only find out what a crawl would add, change and remove: the index stays as it is */
      dryRun?: boolean;
    };
    CrawlSchedule: {
      /**
       * Format: uuid
       * @description the id of the schedule
       */
      id: string;
      /**
       * @description how often a crawl starts: each 3,600, 86,400 or 604,800 seconds. The plan pro includes no `hourly`, the plan free none
       * @enum {string}
       */
      frequency: "hourly" | "daily" | "weekly";
      /** @description false while the plan does not include the frequency */
      enabled: boolean;
      /** @description when it was set, in epoch seconds */
      createdAt: number;
      /** @description when the next crawl starts, in epoch seconds */
      nextStartAt: number;
      /** @description when a crawl was last started, in epoch seconds */
      lastStartedAt?: number;
      /** @description starts at which no crawl could start */
      skippedStarts: number;
      /** @description an error code, for example crawl_running */
      lastSkipReason?: string;
    };
    CrawlScheduleList: {
      /** @description one or none */
      schedules: components["schemas"]["CrawlSchedule"][];
    };
    CrawlScope: {
      /** @description the only URLs that a crawl visits; empty: the whole site */
      urls: string[];
      /** @description the length of `urls` */
      count: number;
      /** @description present if URLs are not on the origin of the base URL, which has changed */
      warning?: string;
    };
    CrawlerConfig: {
      /** @description pages that a crawl may read; 100 for a new site */
      maxPages: number;
      /** @description links from the start page; 3 for a new site */
      maxDepth: number;
      /** @description whether robots.txt is obeyed; true for a new site */
      respectRobotsTxt: boolean;
      /** @description never these URLs: globs that match the whole URL, or path and query if they start with `/`; or `regex:` and an RE2 expression; exclude wins; one that can match no URL of the site is refused */
      excludePatterns: string[];
      /** @description only these URLs, by default all: globs that match the whole URL, or path and query if they start with `/`; or `regex:` and an RE2 expression; exclude wins; one that can match no URL of the site is refused */
      includePatterns: string[];
      /** @description `true` shows every page in a browser, `auto` those whose HTML is empty without their scripts; false for a new site */
      javascriptEnabled: boolean | "auto";
      /** @description milliseconds between the starts of two requests; without it none, with 5 connections */
      delayMs?: number;
      /** @description the next crawl visits only these URLs, follows no links and ignores the saved crawl scope */
      singleUrls?: string[];
      /** @description lists of URLs to crawl; without it those in robots.txt, else `/sitemap.xml` */
      sitemaps?: components["schemas"]["Sitemap"][];
      /** @description a CSS selector such as `main article`: the content of a page is all that its elements show. On a page without one, the content is found as on any other page */
      contentSelector?: string;
      /** @description CSS selectors of what is left out of the content, as `data-search-ignore` does; links in it are followed */
      excludeSelectors?: string[];
    };
    CrawlerConfigChanges: {
      /** @description pages that a crawl may read; 100 for a new site */
      maxPages?: number;
      /** @description links from the start page; 3 for a new site */
      maxDepth?: number;
      /** @description whether robots.txt is obeyed; true for a new site */
      respectRobotsTxt?: boolean;
      /** @description never these URLs: globs that match the whole URL, or path and query if they start with `/`; or `regex:` and an RE2 expression; exclude wins; one that can match no URL of the site is refused */
      excludePatterns?: string[];
      /** @description only these URLs, by default all: globs that match the whole URL, or path and query if they start with `/`; or `regex:` and an RE2 expression; exclude wins; one that can match no URL of the site is refused */
      includePatterns?: string[];
      /** @description `true` shows every page in a browser, `auto` those whose HTML is empty without their scripts; false for a new site */
      javascriptEnabled?: boolean | "auto";
      /** @description milliseconds between the starts of two requests; without it none, with 5 connections; null clears it */
      delayMs?: number | null;
      /** @description the next crawl visits only these URLs, follows no links and ignores the saved crawl scope; null clears it */
      singleUrls?: string[] | null;
      /** @description lists of URLs to crawl; without it those in robots.txt, else `/sitemap.xml`; null clears it */
      sitemaps?: components["schemas"]["Sitemap"][] | null;
      /** @description a CSS selector such as `main article`: the content of a page is all that its elements show. On a page without one, the content is found as on any other page; null clears it */
      contentSelector?: string | null;
      /** @description CSS selectors of what is left out of the content, as `data-search-ignore` does; links in it are followed; null clears it */
      excludeSelectors?: string[] | null;
    };
    CreateGroupRequest: {
      /** @description the name of the group */
      name: string;
      /** @description the sites that are searched together */
      siteIds: string[];
      /** @description for people; null clears it */
      description?: string | null;
      /** @description who may search the group */
      publicAccess?: components["schemas"]["PublicAccessChanges"];
      /** @description what the MCP server of the group offers to agents */
      mcp?: components["schemas"]["McpChanges"];
      /** @description limits of its visitors in place of the usual ones */
      rateLimits?: components["schemas"]["RateLimitChanges"];
    };
    CreateKeyRequest: {
      /** @description who or what uses the key */
      name: string;
      /**
       * @description at most the role of the calling key; by default `member`
       * @enum {string}
       */
      role?: "owner" | "admin" | "member";
      /** @description in the future, in epoch seconds */
      expiresAt?: number | null;
    };
    CreateSiteRequest: {
      /** @description the name of the site */
      name: string;
      /** @description where the next crawl starts; a crawl that runs keeps the one that it started with */
      baseUrl: string;
      /** @description under which URLs are shown in results, in place of the host of the base URL; null clears it */
      domain?: string | null;
      /** @description for people; null clears it */
      description?: string | null;
      /** @description who may search the site */
      publicAccess?: components["schemas"]["PublicAccessChanges"];
      /** @description what the MCP server of the site offers to agents */
      mcp?: components["schemas"]["McpChanges"];
      /** @description limits of its visitors in place of the usual ones */
      rateLimits?: components["schemas"]["RateLimitChanges"];
      /** @description what a crawl reads */
      crawlerConfig?: components["schemas"]["CrawlerConfigChanges"];
      /** @description fields of its own, for filters and facets */
      metadataSchema?: components["schemas"]["MetadataField"][];
      /** @description factors of the score by tag */
      tagBoosts?: components["schemas"]["TagBoost"][];
      /** @description factors of the score by address */
      urlBoosts?: components["schemas"]["UrlBoost"][];
      /** @description what happens to pages that are gone */
      removalPolicy?: components["schemas"]["RemovalPolicyChanges"];
    };
    CreateWebhookRequest: {
      /** @description receives each event by POST; must answer 2xx within 10 seconds */
      url: string;
      /** @description the events that are sent to it; by default `["crawl.completed","crawl.failed","crawl.cancelled","review.created"]` */
      events?: ("crawl.completed" | "crawl.failed" | "crawl.cancelled" | "review.created")[];
    };
    CreatedApiKey: {
      /**
       * Format: uuid
       * @description the id of the key, which is no secret
       */
      keyId: string;
      /** @description who or what uses the key */
      name: string;
      /**
       * @description what the key may do: each role includes those after it
       * @enum {string}
       */
      role: "owner" | "admin" | "member";
      /** @description the last four characters of the key */
      hint: string;
      /** @description when it was created, in epoch seconds */
      createdAt: number;
      /** @description when it stops working, in epoch seconds; null: never */
      expiresAt: number | null;
      /** @description when it was revoked, in epoch seconds; null: not */
      revokedAt: number | null;
      /** @description in epoch seconds, to the hour; null: never */
      lastUsedAt: number | null;
      /** @description shown only in this response */
      apiKey: string;
    };
    CreatedSite: {
      /**
       * Format: uuid
       * @description the same as `siteId`, by which other clients read it
       */
      id: string;
      /**
       * Format: uuid
       * @description the id of the site
       */
      siteId: string;
      /** @description the name of the site */
      name: string;
      /** @description where a crawl starts */
      baseUrl: string;
      /**
       * @description `pending`: no page yet; `crawling`: a crawl runs; `ready`: can be searched; `error`: the last crawl failed
       * @enum {string}
       */
      status: "pending" | "crawling" | "ready" | "error";
      /** @description indexed pages, crawled and ingested */
      pageCount: number;
      /** @description when it was created, in epoch seconds */
      createdAt: number;
      /** @description when its last crawl ended, in epoch seconds */
      lastCrawledAt?: number;
      /** @description what was accepted and has no effect, or another one than it seems; absent if there is nothing to say */
      warnings?: string[];
    };
    CreatedWebhook: {
      /**
       * Format: uuid
       * @description the webhook
       */
      webhookId: string;
      /** @description receives each event by POST */
      url: string;
      /** @description the events that are sent to it */
      events: ("crawl.completed" | "crawl.failed" | "crawl.cancelled" | "review.created")[];
      /** @description when it was added, in epoch seconds */
      createdAt: number;
      /** @description signs the messages by the Standard Webhooks convention; shown only in this response */
      secret: string;
    };
    DateFacet: {
      /** @description the name of the field */
      name: string;
      /** @description its name for people */
      label: string;
      /**
       * @description the type of the field
       * @enum {string}
       */
      type: "date";
      /** @description the earliest date of a page, ISO 8601 */
      min: string;
      /** @description the latest date of a page, ISO 8601 */
      max: string;
    };
    Day: {
      /**
       * Format: date
       * @description a day in UTC
       */
      date: string;
      /** @description searches */
      searches: number;
      /** @description questions to the chat */
      chats: number;
    };
    DayOutcomes: {
      /**
       * Format: date
       * @description a day in UTC
       */
      date: string;
      /** @description searches without a result */
      zeroResults: number;
      /** @description results that visitors opened */
      clicks: number;
      /** @description 1 is the first result; null without clicks */
      meanPosition: number | null;
      /** @description questions that the pages do not answer */
      refusals: number;
      /** @description answers that helped */
      helpful: number;
      /** @description answers that did not help */
      unhelpful: number;
    };
    DeleteIndexPagesRequest: {
      /** @description exact URLs, as ingested or crawled */
      urls: string[];
    };
    DeletePagesRequest: {
      /** @description exact URLs, as ingested or crawled */
      urls?: string[];
      /** @description globs on the whole URL, or on path and query after a leading slash; or `regex:`. One that matches every page must name the host */
      patterns?: string[];
      /** @description your keys of the pages, as ingested */
      keys?: string[];
    };
    DeletePagesResult: {
      /** @description the length of `urls` */
      requestedUrls: number;
      /** @description pages that were indexed and are deleted, each counted once */
      deletedPages: number;
      /** @description the chunks of these pages */
      deletedChunks: number;
      /** @description false if time ran out: repeat the request */
      complete: boolean;
      /** @description the same for people */
      message: string;
      /**
       * Format: uuid
       * @description the id of the site
       */
      siteId: string;
    };
    DeletedIndexPages: {
      /** @description false if time ran out: repeat the request */
      success: boolean;
      /** @description the length of `urls` */
      requested: number;
      /** @description pages that were indexed and are deleted, each counted once */
      deleted: number;
      /** @description the chunks of these pages */
      deletedChunks: number;
    };
    ErrorBody: {
      /** @description a message for people */
      error: string;
      /**
       * @description a stable code for programs:
       *     - `invalid_request` (400): A parameter or a field of the body is missing or wrong. Correct what `issues` lists.
       *     - `invalid_json` (400): The body is not JSON in UTF-8. Correct the body.
       *     - `unknown_filter_field` (400): A filter or facet names a field that the site does not have. Use a field of its `metadataSchema` or a built-in one.
       *     - `pattern_too_broad` (400): A delete pattern matches every page. Name the host in the pattern, or purge the site.
       *     - `review_not_pending` (400): The review was decided or replaced before. Read the list of reviews again.
       *     - `urls_unavailable` (400): The URLs of the review can no longer be read, so nothing is deleted. Reject it and crawl again.
       *     - `address_mismatch` (400): The address of the site has changed since the review was made. Reject it and crawl again.
       *     - `unauthorized` (401): The API key is missing, malformed, unknown, revoked or expired. Send a valid key as `Authorization: Bearer <API_KEY>`.
       *     - `plan_limit` (402): The plan of the organisation does not include more of this. Delete what is not needed, or change the plan.
       *     - `plan_required` (403): The plan of the organisation does not include this operation. Change the plan.
       *     - `forbidden_role` (403): The role of the key is too low for this operation. Use a key with the role that the message names.
       *     - `origin_not_allowed` (403): The website that sent the request may not use this site or group. The owner can add its origin to `allowedDomains`.
       *     - `feature_disabled` (403): Public access, search or chat is off for this site or group. The owner can turn it on in `publicAccess`.
       *     - `not_found` (404): There is no such path or resource, or it belongs to another organisation. Check the path and the id.
       *     - `method_not_allowed` (405): The path does not support this method. Use a method of the header `Allow`.
       *     - `request_timeout` (408): The request did not arrive in time. Send it again.
       *     - `crawl_running` (409): A crawl of the site is running. Wait for its end, or cancel it.
       *     - `last_owner_key` (409): The key is the last one with the role owner, without which nobody could make keys. Create another owner key first, or revoke it with `npm run admin`.
       *     - `review_changed` (409): The review was changed by another request at the same time. Read it again.
       *     - `sweep_running` (409): Pages of the site are being removed after an earlier approval. Try again when that has ended.
       *     - `payload_too_large` (413): The body is larger than the message says, decompressed: 4.4 MB, or 64 MB of pages on a server of your own. Send smaller batches.
       *     - `unsupported_media_type` (415): The body is neither JSON nor gzip of JSON, by its headers. Send `Content-Type: application/json`.
       *     - `wrong_host` (421): The service on a laptop was called under a foreign host name. Call it as localhost.
       *     - `rate_limited` (429): There were too many calls in the last 60 seconds. Wait for `retryAfter` seconds.
       *     - `headers_too_large` (431): The address and the headers of the request are too long. Send long queries by POST.
       *     - `internal_error` (500): The service failed unexpectedly. Try again later, and report the `X-Request-Id`.
       *     - `store_damaged` (500): The data file of a service on a laptop or server is damaged. The operator has to restore a backup.
       *     - `usage_unavailable` (500): The figures of the month cannot be read for now. Try again in a few seconds.
       *     - `address_unverified` (503): The address of the site cannot be looked up for now. Nothing was changed. Try again in a few seconds.
       *     - `search_unavailable` (503): The search index does not answer. Try again in a few seconds.
       *     - `upstream_unavailable` (503): Something that the service depends on does not answer. Try again in a few seconds.
       *     - `disk_full` (507): The disk of a service on a laptop or server is full. The operator has to free some space. Then try again.
       * @enum {string}
       */
      code: "invalid_request" | "invalid_json" | "unknown_filter_field" | "pattern_too_broad" | "review_not_pending" | "urls_unavailable" | "address_mismatch" | "unauthorized" | "plan_limit" | "plan_required" | "forbidden_role" | "origin_not_allowed" | "feature_disabled" | "not_found" | "method_not_allowed" | "request_timeout" | "crawl_running" | "last_owner_key" | "review_changed" | "sweep_running" | "payload_too_large" | "unsupported_media_type" | "wrong_host" | "rate_limited" | "headers_too_large" | "internal_error" | "store_damaged" | "usage_unavailable" | "address_unverified" | "search_unavailable" | "upstream_unavailable" | "disk_full";
      /** @description for invalid input: the faults of the path parameters, the query and the body, 20 at most */
      issues?: {
        /** @description where: `query.limit`, `body.pages.0.url` */
        path: string;
        /** @description what is wrong there, for people */
        message: string;
      }[];
      /** @description the number of faults beyond those */
      moreIssues?: number;
    };
    Facet: components["schemas"]["StringFacet"] | components["schemas"]["NumberFacet"] | components["schemas"]["DateFacet"];
    FacetValue: {
      /** @description a value of the field */
      value: string;
      /** @description pages that have it */
      count: number;
    };
    FacetsResponse: {
      /** @description one entry for each field with values */
      facets: components["schemas"]["Facet"][];
    };
    Feedback: {
      /**
       * @description a visitor judges an answer
       * @enum {string}
       */
      type: "feedback";
      /** @description of the answer */
      sessionId?: string;
      /** @description the question; give it, `sessionId` or both */
      query?: string;
      /** @description whether the answer helped */
      helpful: boolean;
      /** @description what the visitor adds */
      comment?: string;
    };
    FilterPrefix: {
      /** @description what the URL or its path begins with */
      prefix: string;
    };
    FilterRange: {
      /** @description the least value, included */
      gte?: number | string;
      /** @description the greatest value, included */
      lte?: number | string;
    };
    /** @description Every field must match: a value, any value of a list, or a range `{gte, lte}` of numbers or dates. A date without a time is the whole day. Fields: those of the metadata schema and, by value, others that a page has in its metadata, `tags`, `language`, `publishedAt`, `url` with `{prefix}` of the URL or of its path, and `siteId` in groups. */
    Filters: {
      [key: string]: string | number | boolean | (string | number | boolean)[] | components["schemas"]["FilterRange"] | components["schemas"]["FilterPrefix"];
    };
    FoundShare: {
      /** @description pages that have such a text */
      searched: number;
      /** @description pages that were the first result */
      first: number;
      /** @description pages that were among the first ten */
      firstTen: number;
    };
    GroupSearchRequest: {
      /** @description what is searched */
      query: string;
      /** @description results, at most; by default `10` */
      limit?: number;
      /** @description results with a lower score are left out; by default `0.3` */
      minScore?: number;
      /** @description results to leave out before the first; by default `0` */
      offset?: number;
      /** @description which pages may be found; every field must match */
      filters?: components["schemas"]["Filters"];
      /** @description fields whose values are counted: `tags`, `language`, and those of the schema with `facet` */
      facets?: string[];
      /** @description whether the last word may be the beginning of a word; by default `true` */
      autocomplete?: boolean;
      /** @description searches the words as typed, without corrections and completions; by default `false` */
      exact?: boolean;
      /** @description further passages of each page, at most this many; by default `0` */
      sections?: number;
    };
    GroupSearchResponse: {
      /** @description as it was asked */
      query: string;
      /** @description best first, in one ranking */
      results: components["schemas"]["GroupSearchResult"][];
      /** @description matching pages; exact up to 100 */
      totalResults: number;
      /** @description true if more than 100 pages match */
      totalIsLowerBound?: boolean;
      /** @description words that were searched in another spelling; `exact` searches them as typed */
      corrections?: components["schemas"]["Correction"][];
      /** @description true if no page has the quoted phrase, so it was ignored */
      phraseDropped?: boolean;
      /** @description present if requested */
      facets?: components["schemas"]["Facet"][];
      /** @description if no page reaches minScore: at most three pages below it, best first; absent if none is near */
      closest?: components["schemas"]["GroupSearchResult"][];
      /** @description how long the search took, in milliseconds */
      timingMs: number;
      /**
       * Format: uuid
       * @description the group that was searched
       */
      groupId: string;
    };
    GroupSearchResult: {
      /** @description the address of the page, shown under the `domain` of the site */
      url: string;
      /** @description the title of the page */
      title: string;
      /** @description the part of the page that fits best, as text */
      snippet: string;
      /** @description matches of query words in the snippet: [start, end) in UTF-16 code units */
      highlights: [
        number,
        number
      ][];
      /** @description of the snippet: the nearest heading above it with an anchor */
      section?: components["schemas"]["Section"];
      /** @description further passages of the page, if requested */
      sections?: components["schemas"]["Passage"][];
      /** @description 0 to 1, comparable between queries: 0.3 is probably about it, an exact title is near 1 */
      score: number;
      /** @description with the custom fields of the page */
      metadata: components["schemas"]["ResultMetadata"];
      /**
       * Format: uuid
       * @description the site of the page
       */
      siteId: string;
      /** @description its name */
      siteName: string;
    };
    HealthFinding: {
      /**
       * @description what was found
       * @enum {string}
       */
      kind: "sitemap_not_indexed" | "unlinked" | "no_title" | "thin" | "same_title" | "broken_link" | "redirect_chain";
      /** @description the same in a sentence */
      what: string;
      /** @description what to do */
      advice: string;
      /** @description pages or URLs */
      count: number;
      /** @description how many by reason */
      reasons?: {
        [key: string]: number;
      };
      /** @description the first ten, of different reasons where there are some */
      examples: {
        /** @description the page or URL */
        url: string;
        /** @description of the page */
        title?: string;
        /** @description why it was left out, or does not answer */
        reason?: string;
        /** @description a page that links to it */
        foundOn?: string;
        /** @description where it redirects to, in order */
        leadsTo?: string[];
      }[];
    };
    IndexPage: {
      /** @description the address of the page */
      url: string;
      /** @description the title of the page */
      title: string;
      /** @description your key of the page, as ingested */
      key?: string;
      /** @description into how many parts the text was divided */
      chunks: number;
      /**
       * @description how the page came into the index
       * @enum {string}
       */
      source: "crawl" | "ingest";
      /** @description when this version was indexed, in epoch seconds */
      indexedAt: number;
      /** @description other URLs with the same text, the shortest 20 */
      aliases: string[];
      /** @description how many such URLs there are */
      aliasCount: number;
      /**
       * @description no page of the site links to it any more
       * @constant
       */
      unlinked?: true;
      /**
       * @description too long: only its beginning is found, about a million characters, or the first 500 pages of a PDF
       * @constant
       */
      truncated?: true;
    };
    IndexPageList: {
      /** @description by URL */
      pages: components["schemas"]["IndexPage"][];
      /** @description the `cursor` of the next page, or null */
      nextCursor: string | null;
      /** @description whether there is a next page */
      hasMore: boolean;
    };
    IndexedPage: {
      /** @description the address of the page */
      url: string;
      /** @description the title of the page */
      title: string;
      /** @description in a sentence or two, from the page or a model */
      summary?: string;
      /** @description keywords, from the page or a model */
      tags: string[];
      /** @description when the page was published, ISO 8601 */
      publishedAt?: string;
      /** @description when the page was last read, ISO 8601 */
      crawledAt: string;
      /** @description when this version was indexed, in epoch seconds */
      indexedAt: number;
      /** @description other URLs with the same text, the shortest 20 */
      aliases: string[];
      /** @description how many such URLs there are */
      aliasCount: number;
      /**
       * @description no page of the site links to it any more
       * @constant
       */
      unlinked?: true;
      /**
       * @description too long: only its beginning is found, about a million characters, or the first 500 pages of a PDF
       * @constant
       */
      truncated?: true;
    };
    IndexedPageList: {
      /** @description by URL */
      items: components["schemas"]["IndexedPage"][];
      /** @description the `cursor` of the next page, or null */
      nextCursor: string | null;
      /** @description whether there is a next page */
      hasMore: boolean;
    };
    IngestRequest: {
      /** @description pages to add, or to replace if their URL is known; an invalid one becomes an error in the results */
      pages: components["schemas"]["PageContent"][];
    };
    IngestResult: {
      /** @description true if no page failed */
      success: boolean;
      /** @description pages that were added or replaced */
      processed: number;
      /** @description pages whose content is already indexed */
      skipped: number;
      /** @description pages with an error */
      failed: number;
      /** @description one entry for each page, in the order of the request */
      results: components["schemas"]["IngestedPage"][];
    };
    IngestedPage: {
      /** @description as in the request; empty if it has none */
      url: string;
      /**
       * @description `skipped`: the same content is indexed already
       * @enum {string}
       */
      status: "success" | "skipped" | "error";
      /** @description why the page was not indexed */
      error?: string;
      /** @description into how many parts the text was divided */
      chunks?: number;
      /** @description true if no page had this URL */
      isNew?: boolean;
      /** @description in milliseconds */
      processingTimeMs?: number;
      /** @description what was accepted and has no effect, or another one than it seems; absent if there is nothing to say */
      warnings?: string[];
    };
    /** @description The URLs of the job by outcome and reason. Those still queued are in none while the job runs; at its end they are skipped, as over_limit or cancelled, and all numbers together are pagesDiscovered */
    JobOutcomes: {
      /** @description new or changed pages */
      indexed: number;
      /** @description pages that were indexed before and are still valid */
      unchanged: number;
      /** @description pages with the text of another page */
      duplicate: number;
      /** @description URLs by reason; reasons without a URL are absent */
      skipped: {
        [key: string]: number;
      };
      /** @description URLs by reason; reasons without a URL are absent */
      gone: {
        [key: string]: number;
      };
      /** @description URLs by reason; reasons without a URL are absent */
      failed: {
        [key: string]: number;
      };
    };
    JobPage: {
      /** @description as it was fetched */
      url: string;
      /**
       * @description absent while the URL is queued
       * @enum {string}
       */
      outcome?: "indexed" | "unchanged" | "duplicate" | "skipped" | "gone" | "failed";
      /**
       * @description why; absent for outcomes without reasons
       * @enum {string}
       */
      reason?: "404" | "410" | "robots" | "ingested" | "excluded" | "not_included" | "out_of_scope" | "noindex" | "canonical" | "redirect" | "too_deep" | "over_limit" | "cancelled" | "content_type" | "empty" | "soft_404" | "encrypted" | "scanned" | "http_status" | "timeout" | "dns" | "connection" | "private_address" | "too_large" | "redirect_loop" | "unavailable" | "gave_up" | "bad_content" | "broken_pdf" | "not_rendered";
      /** @description the HTTP status, if the server responded */
      status?: number;
      /** @description links from the start page */
      depth: number;
      /** @description the page with the link; absent for the start page and listed URLs */
      foundOn?: string;
      /** @description the page that this URL duplicates, redirects to or names as canonical */
      target?: string;
      /** @description of an indexed page, at the end of the job: another one that has at least about 80 % of its text */
      nearDuplicateOf?: string;
    };
    JobPageList: {
      /** @description in no particular order, each URL once */
      pages: components["schemas"]["JobPage"][];
      /** @description the `cursor` of the next page, or null */
      nextCursor: string | null;
      /** @description whether there is a next page */
      hasMore: boolean;
    };
    LastCrawl: {
      /**
       * Format: uuid
       * @description the id of the crawl job
       */
      jobId: string;
      /**
       * @description how it ended
       * @enum {string}
       */
      status: "completed" | "failed" | "cancelled";
      /** @description done, limit, cancelled, or the code of the failure */
      endReason?: string;
      /** @description when it ended, in epoch seconds */
      completedAt?: number;
      /** @description all URLs found: the sum of the six counts below */
      discovered: number;
      /** @description new or changed pages */
      indexed: number;
      /** @description pages that were indexed before and are still valid */
      unchanged: number;
      /** @description pages with the text of another page */
      duplicate: number;
      /** @description URLs that were not indexed on purpose, and those not visited before the crawl ended */
      skipped: number;
      /** @description URLs that answered 404 or 410 */
      gone: number;
      /** @description URLs without a usable answer */
      failed: number;
    };
    /** @description Markdown as on llmstxt.org */
    LlmsTxt: string;
    /** @description `markdown` of the same answer as JSON */
    MarkdownText: string;
    Mcp: {
      /** @description what agents read about the content; without it the service writes it from name, tags and languages */
      description?: string;
      /** @description whether agents may ask for an answer, as people ask the chat; false for a new site */
      answer?: boolean;
    };
    McpAnswer: {
      /** @description `2.0` */
      jsonrpc: string;
      /** @description of the request */
      id?: string | number | null;
      /** @description of the method */
      result?: {
        [key: string]: unknown;
      };
    } & {
      [key: string]: unknown;
    };
    McpChanges: {
      /** @description what agents read about the content; without it the service writes it from name, tags and languages; null clears it */
      description?: string | null;
      /** @description whether agents may ask for an answer, as people ask the chat; false for a new site */
      answer?: boolean;
    };
    McpMessage: {
      /** @description `2.0` */
      jsonrpc?: string;
      /** @description absent from a notification, which has no answer */
      id?: string | number;
      /** @description such as `tools/list` or `tools/call` */
      method?: string;
      /** @description of the method */
      params?: {
        [key: string]: unknown;
      };
    } & {
      [key: string]: unknown;
    };
    McpRequest: components["schemas"]["McpMessage"] | components["schemas"]["McpMessage"][];
    /** @description a notification is answered with 202, without a body */
    McpResponse: components["schemas"]["McpAnswer"] | components["schemas"]["McpAnswer"][];
    MetadataField: {
      /** @description the name of the field in `metadata`, filters and facets */
      name: string;
      /**
       * @description of its values; dates are ISO 8601, and may be given in epoch seconds
       * @enum {string}
       */
      type: "string" | "number" | "date";
      /** @description its name for people; by default `name` */
      label?: string;
      /** @description whether its values are counted; by default false */
      facet?: boolean;
      /** @description fills the field from the page itself, at the crawl or ingestion and for pages that are indexed already as far as possible; a value that the ingestion gives wins, and one that is not of the type is left out */
      from?: components["schemas"]["MetadataSource"];
    };
    MetadataSource: {
      /** @description the `name` or `property` of a `meta` tag, in any case; several tags give a list */
      meta?: string;
      /** @description a property such as `articleSection`, or a path such as `author.name`, in the JSON-LD of a page; that of the outermost objects counts, several values give a list, and an object counts by its `name` */
      jsonLd?: string;
      /** @description what the path begins with, or the whole URL if it begins with `https://`; exactly one `*` stands for one or more characters other than slashes, and these are the value: `/docs/*` gives `15` for `/docs/15/sql.html` */
      urlPattern?: string;
      /** @description a CSS selector such as `.version` or `#nav > li[data-version]`; the text of the first element that matches is the value. Pages that are indexed already are filled by the next crawl */
      selector?: string;
    };
    NumberFacet: {
      /** @description the name of the field */
      name: string;
      /** @description its name for people */
      label: string;
      /**
       * @description the type of the field
       * @enum {string}
       */
      type: "number";
      /** @description the least value of a page */
      min: number;
      /** @description the greatest value of a page */
      max: number;
    };
    Organisation: {
      /**
       * Format: uuid
       * @description the id of the organisation
       */
      orgId: string;
      /** @description the name of the organisation */
      name: string;
      /**
       * @description what the quotas follow from
       * @enum {string}
       */
      plan: "free" | "pro" | "enterprise";
      /**
       * @description the role of the calling key
       * @enum {string}
       */
      role: "owner" | "admin" | "member";
      /** @description what the plan includes */
      quotas: {
        /** @description sites, at most */
        sites: number;
        /** @description search groups, at most */
        groups: number;
        /** @description indexed pages of a site, at most */
        pagesPerSite: number;
        /** @description tokens of models in a month (UTC), at most */
        aiTokensPerMonth: number;
      };
      /** @description what is used of it now */
      use: {
        /** @description sites */
        sites: number;
        /** @description search groups */
        groups: number;
        /** @description indexed pages of the site with the most */
        pagesOfLargestSite: number;
        /** @description tokens of models in this month (UTC) */
        aiTokensThisMonth: number;
      };
    };
    PageContent: {
      /** @description a relative URL is resolved against the base URL of the site */
      url: string;
      /** @description HTML or plain text, at most 1 MB */
      content: string;
      /**
       * @description what `content` is; by default `html`
       * @enum {string}
       */
      contentType?: "html" | "text";
      /** @description by default that of the HTML */
      title?: string;
      /** @description in a sentence or two; by default from the HTML or a model */
      summary?: string;
      /** @description keywords; by default from the HTML or a model */
      tags?: string[];
      /** @description the content is clean: nothing is removed, and no model is called; by default `false` */
      preProcessed?: boolean;
      /** @description any fields; those of the metadata schema can be used in filters */
      metadata?: {
        [key: string]: unknown;
      };
      /** @description your key of the page, by which it can be deleted */
      key?: string;
      /** @description a tag such as `en` or `pt-BR`; by default that of the HTML, else it is detected */
      language?: string;
      /** @description ISO 8601; by default that of the HTML */
      publishedAt?: string;
    };
    PageHeading: {
      /** @description 1 to 6 */
      level: number;
      /** @description its text */
      text: string;
      /** @description the fragment of a URL, not encoded */
      anchor?: string;
    };
    PageLink: {
      /** @description what the link says */
      text: string;
      /** @description where it leads: http or https, absolute */
      url: string;
    };
    PageMarkdown: {
      /** @description the address of the page, as in search results */
      url: string;
      /** @description the title of the page */
      title: string;
      /** @description the whole page: its title, its address and its content; at most 1 MB */
      markdown: string;
      /** @description of the content, in order; at most 1,000 */
      headings: components["schemas"]["PageHeading"][];
      /** @description of the content, in order; at most 1,000 */
      links: components["schemas"]["PageLink"][];
      /** @description a tag such as `en` */
      language?: string;
      /** @description in a sentence or two */
      summary?: string;
      /** @description keywords */
      tags: string[];
      /** @description ISO 8601, if the page names it */
      publishedAt?: string;
      /** @description ISO 8601, when last read */
      crawledAt: string;
      /**
       * @description the page is longer than what is stored of it
       * @constant
       */
      truncated?: true;
    };
    Passage: {
      /** @description the text of the heading */
      heading: string;
      /** @description the fragment of a URL, not encoded */
      anchor: string;
      /** @description the part of the page that fits best, as text */
      snippet: string;
      /** @description matches of query words in the snippet: [start, end) in UTF-16 code units */
      highlights: [
        number,
        number
      ][];
    };
    PreviewRequest: {
      /** @description what is searched */
      query: string;
      /** @description results, at most; by default `10` */
      limit?: number;
      /** @description results with a lower score are left out; by default `0.3` */
      minScore?: number;
      /** @description which pages may be found; every field must match */
      filters?: components["schemas"]["Filters"];
      /** @description in place of those of the site, for this call only */
      tagBoosts?: components["schemas"]["TagBoost"][];
      /** @description in place of those of the site, for this call only */
      urlBoosts?: components["schemas"]["UrlBoost"][];
      /** @description answers the query as the chat does, too; by default `false` */
      answer?: boolean;
    };
    PreviewResponse: {
      /** @description as it was asked */
      query: string;
      /** @description best first */
      results: components["schemas"]["SearchResult"][];
      /** @description matching pages; exact up to 100 */
      totalResults: number;
      /** @description true if more than 100 pages match */
      totalIsLowerBound?: boolean;
      /** @description words that were searched in another spelling; `exact` searches them as typed */
      corrections?: components["schemas"]["Correction"][];
      /** @description true if no page has the quoted phrase, so it was ignored */
      phraseDropped?: boolean;
      /** @description present if requested */
      facets?: components["schemas"]["Facet"][];
      /** @description if no page reaches minScore: at most three pages below it, best first; absent if none is near */
      closest?: components["schemas"]["SearchResult"][];
      /** @description how long the search took, in milliseconds */
      timingMs: number;
      /** @description present if requested */
      answer?: components["schemas"]["ChatResponse"];
    };
    PublicAccess: {
      /** @description whether visitors may search and ask at all; false for a new site */
      enabled: boolean;
      /** @description whether they may search; true for a new site */
      searchEnabled: boolean;
      /** @description whether they may ask the chat; true for a new site */
      chatEnabled: boolean;
      /** @description hosts of the web pages that may call: `*` allows every one, `*.example.com` every subdomain; none for a new site */
      allowedDomains: string[];
      /** @description whether the chat remembers earlier questions of a visitor; true for a new site */
      anonymousSessions: boolean;
      /** @description minutes after the last question that a chat is remembered; 30 for a new site */
      sessionTTLMinutes: number;
      /** @description whether AI agents may use the MCP server, also without an origin; false for a new site */
      mcpEnabled?: boolean;
    };
    PublicAccessChanges: {
      /** @description whether visitors may search and ask at all; false for a new site */
      enabled?: boolean;
      /** @description whether they may search; true for a new site */
      searchEnabled?: boolean;
      /** @description whether they may ask the chat; true for a new site */
      chatEnabled?: boolean;
      /** @description hosts of the web pages that may call: `*` allows every one, `*.example.com` every subdomain; none for a new site */
      allowedDomains?: string[];
      /** @description whether the chat remembers earlier questions of a visitor; true for a new site */
      anonymousSessions?: boolean;
      /** @description minutes after the last question that a chat is remembered; 30 for a new site */
      sessionTTLMinutes?: number;
      /** @description whether AI agents may use the MCP server, also without an origin; false for a new site */
      mcpEnabled?: boolean;
    };
    PurgedSite: {
      /** @description always true; a failure is an error */
      success: boolean;
      /** @description the pages that the site had */
      deletedCount: number;
    };
    QueryTrace: {
      /** @description the query */
      q: string;
      /** @description at which rank a search finds it, or why it does not */
      verdict: string;
      /** @description a search for it has the page among its results */
      isFound: boolean;
      /** @description the page matches the words or the meaning, whatever its score */
      isCandidate: boolean;
      /** @description from 1, among at most 1,000 results */
      rank: number | null;
      /** @description results of the search */
      totalResults: number;
      /** @description a page with a lower score is no result */
      minScore: number;
      /** @description words that were searched in another spelling */
      corrections: components["schemas"]["Correction"][];
      /**
       * @description without a vector, because the embedder did not answer
       * @constant
       */
      degraded?: true;
      /** @description of its best chunk: textScore times boost times confidence */
      score?: number;
      /** @description position of that chunk in the page, from 0 */
      chunk?: number;
      /** @description what the score is the product of */
      factors?: {
        /** @description 0 to 1 */
        meaning: number;
        /** @description 0 to 1 */
        words: number;
        /** @description 0 to 1 */
        title: number;
        /** @description low if the chunk has few of the words */
        gate: number;
        /** @description (1 - (1 - meaning)(1 - words)(1 - title)) times gate, scaled so that 0.33 becomes 0.3 */
        textScore: number;
        /** @description of tagBoosts and urlBoosts, and less for a list of pages */
        boost: number;
        /** @description below 1 for corrected and completed words, above 1 for preferred phrases and a title that is the query */
        confidence: number;
      };
      /** @description what the factors follow from */
      features?: {
        /** @description similarity of the meanings, -1 to 1; absent without a vector */
        cosine?: number;
        /** @description of its upper bound for these words */
        bm25: number;
        /** @description 1 if at least half of the query is found as one: in its order, or as an identifier */
        together: number;
        /** @description how far its words are ones that hardly any other part of the site has */
        distinction: number;
        /** @description agreement with the best heading or defined name */
        label: number;
        /** @description agreement with the title */
        title: number;
        /** @description text inside links */
        linkShare: number;
        /** @description words in the chunk */
        inChunk: number;
      };
      /** @description each word of the query */
      words?: {
        /** @description of the query */
        word: string;
        /** @description false for words such as "how" and "the" */
        counts: boolean;
        /** @description how often */
        inChunk: number;
        /** @description whether the title has it */
        inTitle: boolean;
        /** @description chunks of the site that have it */
        chunksOfSite: number;
      }[];
    };
    RateLimitChanges: {
      /** @description searches of all visitors a minute; without it no limit; null clears it */
      searchPerMinute?: number | null;
      /** @description questions of all visitors a minute; without it no limit; null clears it */
      chatPerMinute?: number | null;
      /** @description searches of one address a minute, and its questions if lower than their limit; without it 60 and 20; null clears it */
      perIpPerMinute?: number | null;
    };
    RateLimited: {
      /** @description a message for people */
      error: string;
      /**
       * @description a stable code for programs
       * @enum {string}
       */
      code: "rate_limited";
      /** @description seconds to wait */
      retryAfter: number;
    };
    RateLimits: {
      /** @description searches of all visitors a minute; without it no limit */
      searchPerMinute?: number;
      /** @description questions of all visitors a minute; without it no limit */
      chatPerMinute?: number;
      /** @description searches of one address a minute, and its questions if lower than their limit; without it 60 and 20 */
      perIpPerMinute?: number;
    };
    RemovalPolicy: {
      /** @description a larger share of the crawled pages, in percent, is held for review; 10 for a new site */
      holdPercent: number;
      /** @description fewer pages than this are not held; 10 for a new site */
      minPages: number;
      /**
       * @description pages that are gone: hold a large share for review, always remove, or never remove; `hold` for a new site
       * @enum {string}
       */
      mode: "hold" | "apply" | "never";
    };
    RemovalPolicyChanges: {
      /** @description a larger share of the crawled pages, in percent, is held for review; 10 for a new site */
      holdPercent?: number;
      /** @description fewer pages than this are not held; 10 for a new site */
      minPages?: number;
      /**
       * @description pages that are gone: hold a large share for review, always remove, or never remove; `hold` for a new site
       * @enum {string}
       */
      mode?: "hold" | "apply" | "never";
    };
    ReplaceCrawlScopeRequest: {
      /** @description URLs on the origin of the site; an empty list clears the scope */
      urls: string[];
    };
    ReplacedCrawlScope: {
      /** @description the only URLs that a crawl visits; empty: the whole site */
      urls: string[];
      /** @description the length of `urls` */
      count: number;
      /** @description present if a URL was rejected */
      warning?: string;
      /** @description URLs dropped because they are not on the origin of the site */
      rejected: number;
    };
    ResultMetadata: {
      /** @description in a sentence or two */
      summary?: string;
      /** @description keywords */
      tags: string[];
      /** @description ISO 8601, if the page names it */
      publishedAt?: string;
      /** @description ISO 8601, when last indexed */
      crawledAt: string;
    } & {
      [key: string]: unknown;
    };
    Review: {
      /**
       * Format: uuid
       * @description the id of the review
       */
      reviewId: string;
      /**
       * Format: uuid
       * @description the id of the site
       */
      siteId: string;
      /**
       * Format: uuid
       * @description the crawl that found the pages gone
       */
      jobId: string;
      /**
       * @description `superseded`: a later crawl or a purge made it void
       * @enum {string}
       */
      status: "pending" | "approved" | "rejected" | "superseded";
      /** @description pages that would be removed */
      urlCount: number;
      /** @description the share of the crawled pages of the site */
      share: number;
      /** @description whether the list of its URLs can be read */
      urlsAvailable: boolean;
      /** @description when the crawl held it, in epoch seconds */
      createdAt: number;
      /** @description when it was approved or rejected, in epoch seconds; null: not yet */
      decidedAt: number | null;
      /** @description present after approval */
      sweep?: {
        /**
         * @description `failed`: the pages it has not deleted stay
         * @enum {string}
         */
        status: "running" | "done" | "failed";
        /** @description pages that are no longer in the index */
        deleted: number;
        /** @description pages that exist again, or whose server did not say that they are gone */
        kept: number;
      };
    };
    ReviewList: {
      /** @description newest first */
      reviews: components["schemas"]["Review"][];
      /** @description the `cursor` of the next page, or null */
      nextCursor: string | null;
      /** @description whether there is a next page */
      hasMore: boolean;
    };
    ReviewWithUrls: {
      /**
       * Format: uuid
       * @description the id of the review
       */
      reviewId: string;
      /**
       * Format: uuid
       * @description the id of the site
       */
      siteId: string;
      /**
       * Format: uuid
       * @description the crawl that found the pages gone
       */
      jobId: string;
      /**
       * @description `superseded`: a later crawl or a purge made it void
       * @enum {string}
       */
      status: "pending" | "approved" | "rejected" | "superseded";
      /** @description pages that would be removed */
      urlCount: number;
      /** @description the share of the crawled pages of the site */
      share: number;
      /** @description whether the list of its URLs can be read */
      urlsAvailable: boolean;
      /** @description when the crawl held it, in epoch seconds */
      createdAt: number;
      /** @description when it was approved or rejected, in epoch seconds; null: not yet */
      decidedAt: number | null;
      /** @description present after approval */
      sweep?: {
        /**
         * @description `failed`: the pages it has not deleted stay
         * @enum {string}
         */
        status: "running" | "done" | "failed";
        /** @description pages that are no longer in the index */
        deleted: number;
        /** @description pages that exist again, or whose server did not say that they are gone */
        kept: number;
      };
      /** @description null if they cannot be read */
      urls: string[] | null;
      /** @description in the order of `urls` */
      reasons: ("404" | "410" | "noindex" | "redirect" | "canonical" | "duplicate" | "empty" | "soft_404" | "content_type" | "encrypted" | "scanned" | "robots" | "excluded" | "not_included")[] | null;
      /** @description the `cursor` of the next page, or null */
      nextCursor: string | null;
      /** @description whether there is a next page */
      hasMore: boolean;
    };
    RobotsDecision: {
      /** @description whether the site’s settings respect robots.txt */
      respected: boolean;
      /** @description absent if no crawl has read robots.txt */
      allowed?: boolean;
      /** @description the line that decides; absent if none applies */
      rule?: string;
      /** @description its number in robots.txt, from 1 */
      line?: number;
    };
    SearchEvent: components["schemas"]["Click"] | components["schemas"]["Feedback"];
    SearchGroup: {
      /**
       * Format: uuid
       * @description the id of the search group
       */
      groupId: string;
      /** @description the name of the group */
      name: string;
      /** @description for people */
      description?: string;
      /** @description the sites that are searched together */
      siteIds: string[];
      /** @description who may search the group */
      publicAccess: components["schemas"]["PublicAccess"];
      /** @description what the MCP server of the group offers to agents */
      mcp: components["schemas"]["Mcp"];
      /** @description limits of its visitors in place of the usual ones */
      rateLimits: components["schemas"]["RateLimits"];
      /** @description when it was created, in epoch seconds */
      createdAt: number;
    };
    SearchGroupList: {
      /** @description all groups of the organisation */
      groups: components["schemas"]["SearchGroup"][];
    };
    SearchRequest: {
      /** @description what is searched */
      query: string;
      /** @description results, at most; by default `10` */
      limit?: number;
      /** @description results with a lower score are left out; by default `0.3` */
      minScore?: number;
      /** @description results to leave out before the first; by default `0` */
      offset?: number;
      /** @description which pages may be found; every field must match */
      filters?: components["schemas"]["Filters"];
      /** @description fields whose values are counted: `tags`, `language`, and those of the schema with `facet` */
      facets?: string[];
      /** @description whether the last word may be the beginning of a word; by default `true` */
      autocomplete?: boolean;
      /** @description searches the words as typed, without corrections and completions; by default `false` */
      exact?: boolean;
      /** @description further passages of each page, at most this many; by default `0` */
      sections?: number;
    };
    SearchResponse: {
      /** @description as it was asked */
      query: string;
      /** @description best first */
      results: components["schemas"]["SearchResult"][];
      /** @description matching pages; exact up to 100 */
      totalResults: number;
      /** @description true if more than 100 pages match */
      totalIsLowerBound?: boolean;
      /** @description words that were searched in another spelling; `exact` searches them as typed */
      corrections?: components["schemas"]["Correction"][];
      /** @description true if no page has the quoted phrase, so it was ignored */
      phraseDropped?: boolean;
      /** @description present if requested */
      facets?: components["schemas"]["Facet"][];
      /** @description if no page reaches minScore: at most three pages below it, best first; absent if none is near */
      closest?: components["schemas"]["SearchResult"][];
      /** @description how long the search took, in milliseconds */
      timingMs: number;
    };
    SearchResult: {
      /** @description the address of the page, shown under the `domain` of the site */
      url: string;
      /** @description the title of the page */
      title: string;
      /** @description the part of the page that fits best, as text */
      snippet: string;
      /** @description matches of query words in the snippet: [start, end) in UTF-16 code units */
      highlights: [
        number,
        number
      ][];
      /** @description of the snippet: the nearest heading above it with an anchor */
      section?: components["schemas"]["Section"];
      /** @description further passages of the page, if requested */
      sections?: components["schemas"]["Passage"][];
      /** @description 0 to 1, comparable between queries: 0.3 is probably about it, an exact title is near 1 */
      score: number;
      /** @description with the custom fields of the page */
      metadata: components["schemas"]["ResultMetadata"];
    };
    Section: {
      /** @description the text of the heading */
      heading: string;
      /** @description the fragment of a URL, not encoded */
      anchor: string;
    };
    SetScheduleRequest: {
      /**
       * @description how often a crawl starts: each 3,600, 86,400 or 604,800 seconds. The plan pro includes no `hourly`, the plan free none
       * @enum {string}
       */
      frequency: "hourly" | "daily" | "weekly";
    };
    Site: {
      /**
       * Format: uuid
       * @description the same as `siteId`, by which other clients read it
       */
      id: string;
      /**
       * Format: uuid
       * @description the id of the site
       */
      siteId: string;
      /** @description the name of the site */
      name: string;
      /** @description where a crawl starts */
      baseUrl: string;
      /**
       * @description `pending`: no page yet; `crawling`: a crawl runs; `ready`: can be searched; `error`: the last crawl failed
       * @enum {string}
       */
      status: "pending" | "crawling" | "ready" | "error";
      /** @description indexed pages, crawled and ingested */
      pageCount: number;
      /** @description when it was created, in epoch seconds */
      createdAt: number;
      /** @description when its last crawl ended, in epoch seconds */
      lastCrawledAt?: number;
      /** @description under which URLs are shown in results, in place of the host of the base URL */
      domain?: string;
      /** @description for people */
      description?: string;
      /** @description why the last crawl failed */
      lastError?: string;
      /** @description the code of lastError */
      lastErrorCode?: string;
      /** @description the last crawl that has ended */
      lastCrawl?: components["schemas"]["LastCrawl"];
      /** @description who may search the site */
      publicAccess: components["schemas"]["PublicAccess"];
      /** @description what the MCP server of the site offers to agents */
      mcp: components["schemas"]["Mcp"];
      /** @description limits of its visitors in place of the usual ones */
      rateLimits: components["schemas"]["RateLimits"];
      /** @description what a crawl reads */
      crawlerConfig: components["schemas"]["CrawlerConfig"];
      /** @description fields of its own, for filters and facets */
      metadataSchema: components["schemas"]["MetadataField"][];
      /** @description factors of the score by tag */
      tagBoosts: components["schemas"]["TagBoost"][];
      /** @description factors of the score by address */
      urlBoosts: components["schemas"]["UrlBoost"][];
      /** @description what happens to pages that are gone */
      removalPolicy: components["schemas"]["RemovalPolicy"];
    };
    SiteHealth: {
      /**
       * Format: uuid
       * @description the site
       */
      siteId: string;
      /**
       * Format: uuid
       * @description the crawl
       */
      jobId?: string;
      /** @description in epoch seconds; null if no crawl has completed */
      checkedAt: number | null;
      /** @description pages in the index */
      pages?: number;
      /** @description URLs that the crawl met */
      urls?: number;
      /** @description true if the site has more than the 200,000 that a check reads */
      isPartial?: boolean;
      /** @description what is wrong, by kind */
      findings: components["schemas"]["HealthFinding"][];
      /** @description of the pages, the most frequent first */
      languages: {
        /** @description a tag such as `en` */
        language: string;
        /** @description pages in it */
        pages: number;
      }[];
      /** @description whether searches find a sample of its pages by their own words: 50, or 5 with a provider of embeddings */
      selfCheck?: {
        /** @description pages drawn at random, searched by their own title */
        byTitle: components["schemas"]["FoundShare"];
        /** @description the same pages, searched by their first heading */
        byHeading: components["schemas"]["FoundShare"];
        /** @description the first twenty that were not among the first ten results */
        misses: {
          /** @description the page */
          url: string;
          /** @description what was searched */
          query: string;
          /** @description its rank; null if it was not among the first ten */
          rank: number | null;
        }[];
      };
      /** @description the self-checks of the last 50 crawls, newest first */
      history: {
        /**
         * Format: uuid
         * @description the crawl
         */
        jobId: string;
        /** @description when it was checked, in epoch seconds */
        checkedAt: number;
        /** @description pages in the index */
        pages: number;
        /** @description pages drawn at random, searched by their own title */
        byTitle: components["schemas"]["FoundShare"];
        /** @description the same pages, searched by their first heading */
        byHeading: components["schemas"]["FoundShare"];
      }[];
    };
    SiteList: {
      /** @description all sites of the organisation */
      sites: components["schemas"]["SiteSummary"][];
    };
    SiteSummary: {
      /**
       * Format: uuid
       * @description the same as `siteId`, by which other clients read it
       */
      id: string;
      /**
       * Format: uuid
       * @description the id of the site
       */
      siteId: string;
      /** @description the name of the site */
      name: string;
      /** @description where a crawl starts */
      baseUrl: string;
      /**
       * @description `pending`: no page yet; `crawling`: a crawl runs; `ready`: can be searched; `error`: the last crawl failed
       * @enum {string}
       */
      status: "pending" | "crawling" | "ready" | "error";
      /** @description indexed pages, crawled and ingested */
      pageCount: number;
      /** @description when it was created, in epoch seconds */
      createdAt: number;
      /** @description when its last crawl ended, in epoch seconds */
      lastCrawledAt?: number;
    };
    SiteTopQueriesResponse: {
      /**
       * Format: uuid
       * @description the id of the site
       */
      siteId: string;
      /** @description the days that are counted, as requested: `30d` */
      range: string;
      /** @description most frequent first */
      topQueries: components["schemas"]["TopQuery"][];
    };
    SiteUsageResponse: {
      /**
       * Format: uuid
       * @description the id of the site
       */
      siteId: string;
      /** @description the days that are counted, as requested: `30d` */
      range: string;
      /** @description searches */
      searches: number;
      /** @description questions to the chat */
      chats: number;
      /** @description tokens of models for the site, input and output */
      totalTokens: number;
      /** @description oldest first */
      daily: components["schemas"]["Day"][];
    };
    Sitemap: {
      /** @description the address of the sitemap; a relative one counts from the base URL */
      url: string;
      /** @description whether links of its pages are followed too; by default `false` */
      recursive?: boolean;
    };
    StartedCrawl: {
      /** @description always true; a failure is an error */
      success: boolean;
      /**
       * Format: uuid
       * @description the id of the crawl job
       */
      jobId: string;
      /** @description the same for people */
      message: string;
      /** @description what was accepted and has no effect, or another one than it seems; absent if there is nothing to say */
      warnings?: string[];
    };
    StringFacet: {
      /** @description the name of the field */
      name: string;
      /** @description its name for people */
      label: string;
      /**
       * @description the type of the field
       * @enum {string}
       */
      type: "string";
      /** @description the values with the number of pages, most frequent first */
      values: components["schemas"]["FacetValue"][];
    };
    SuccessBody: {
      /** @description always true; a failure is an error */
      success: boolean;
    };
    SuggestResponse: {
      /** @description best first */
      suggestions: components["schemas"]["Suggestion"][];
    };
    Suggestion: {
      /** @description the title of the page, or the query */
      text: string;
      /**
       * @description a page, or a frequent query
       * @enum {string}
       */
      type: "page" | "query";
      /** @description the address of the page; absent for queries */
      url?: string;
    };
    TagBoost: {
      /** @description a tag of pages, as `metadata.tags` of results shows it */
      tag: string;
      /** @description the factor of the score: above 1 raises it, below 1 lowers it; 0 or less has no effect */
      boost: number;
    };
    TestUrlRequest: {
      /** @description a URL, or a path of the site */
      url: string;
      /** @description false only says what the settings of the site say about the URL; by default `true` */
      fetch?: boolean;
      /** @description in place of those of the site, for this call only */
      includePatterns?: string[];
      /** @description in place of those of the site, for this call only */
      excludePatterns?: string[];
    };
    TestedUrl: {
      /** @description normalised, as crawls know it */
      url: string;
      /** @description what the settings of the site say about the URL */
      scope: components["schemas"]["UrlScope"];
      /** @description what robots.txt says about the URL */
      robots: components["schemas"]["RobotsDecision"];
      /** @description the last step has a page that a crawl may index */
      isIndexable: boolean;
      /** @description the URL, and where its redirects lead, in order */
      steps: {
        /** @description what was fetched */
        url: string;
        /**
         * @description how the URL would end in a crawl
         * @enum {string}
         */
        outcome: "indexed" | "unchanged" | "duplicate" | "skipped" | "gone" | "failed";
        /**
         * @description why; absent for outcomes without reasons
         * @enum {string}
         */
        reason?: "404" | "410" | "robots" | "ingested" | "excluded" | "not_included" | "out_of_scope" | "noindex" | "canonical" | "redirect" | "too_deep" | "over_limit" | "cancelled" | "content_type" | "empty" | "soft_404" | "encrypted" | "scanned" | "http_status" | "timeout" | "dns" | "connection" | "private_address" | "too_large" | "redirect_loop" | "unavailable" | "gave_up" | "bad_content" | "broken_pdf" | "not_rendered";
        /** @description the HTTP status, if the server responded */
        status?: number;
        /** @description where the next step leads */
        target?: string;
        /** @description the same for people */
        explanation?: string;
      }[];
      /** @description what was read, also of a page that is not to be indexed */
      page?: {
        /** @description the Content-Type of the answer */
        contentType?: string;
        /** @description its title */
        title: string;
        /** @description its meta description */
        description?: string;
        /** @description a tag such as `en` */
        language?: string;
        /** @description ISO 8601 */
        publishedAt?: string;
        /** @description the URL that the page names as its canonical */
        canonical?: string;
        /** @description keywords that the page names */
        tags: string[];
        /** @description whether it forbids to index it */
        noindex: boolean;
        /** @description whether it forbids to follow its links */
        nofollow: boolean;
        /** @description the first 100 */
        headings: string[];
        /** @description of its main text */
        characters: number;
        /** @description as it would be indexed */
        chunks: number;
        /** @description the first 2,000 characters */
        text: string;
        /** @description links to other pages */
        linkCount: number;
        /** @description the first 100 */
        links: string[];
      };
    };
    TopQuery: {
      /** @description as visitors wrote it, with personal data masked */
      query: string;
      /** @description how often it was asked */
      count: number;
    };
    UpdateGroupRequest: {
      /** @description the name of the group */
      name?: string;
      /** @description the sites that are searched together */
      siteIds?: string[];
      /** @description for people; null clears it */
      description?: string | null;
      /** @description who may search the group */
      publicAccess?: components["schemas"]["PublicAccessChanges"];
      /** @description what the MCP server of the group offers to agents */
      mcp?: components["schemas"]["McpChanges"];
      /** @description limits of its visitors in place of the usual ones */
      rateLimits?: components["schemas"]["RateLimitChanges"];
    };
    UpdateSiteRequest: {
      /** @description the name of the site */
      name?: string;
      /** @description where the next crawl starts; a crawl that runs keeps the one that it started with */
      baseUrl?: string;
      /** @description under which URLs are shown in results, in place of the host of the base URL; null clears it */
      domain?: string | null;
      /** @description for people; null clears it */
      description?: string | null;
      /** @description who may search the site */
      publicAccess?: components["schemas"]["PublicAccessChanges"];
      /** @description what the MCP server of the site offers to agents */
      mcp?: components["schemas"]["McpChanges"];
      /** @description limits of its visitors in place of the usual ones */
      rateLimits?: components["schemas"]["RateLimitChanges"];
      /** @description what a crawl reads */
      crawlerConfig?: components["schemas"]["CrawlerConfigChanges"];
      /** @description fields of its own, for filters and facets */
      metadataSchema?: components["schemas"]["MetadataField"][];
      /** @description factors of the score by tag */
      tagBoosts?: components["schemas"]["TagBoost"][];
      /** @description factors of the score by address */
      urlBoosts?: components["schemas"]["UrlBoost"][];
      /** @description what happens to pages that are gone */
      removalPolicy?: components["schemas"]["RemovalPolicyChanges"];
    };
    UpdatedSite: {
      /** @description always true; a failure is an error */
      success: boolean;
      /** @description the site with the change */
      site: components["schemas"]["Site"];
      /** @description what was accepted and has no effect, or another one than it seems; absent if there is nothing to say */
      warnings?: string[];
    };
    UrlBoost: {
      /** @description what the URL or its path begins with */
      urlPrefix: string;
      /** @description the factor of the score: above 1 raises it, below 1 lowers it; 0 or less has no effect */
      boost: number;
    };
    UrlScope: {
      /**
       * @description whether the next crawl may visit the URL
       * @enum {string}
       */
      decision: "admitted" | "out_of_scope" | "excluded" | "not_included" | "not_listed";
      /** @description where the base URL leads */
      baseUrl: string;
      /** @description the pattern of the site that excludes or includes the URL */
      pattern?: string;
      /**
       * @description the list of URLs that the next crawl is restricted to
       * @enum {string}
       */
      list?: "singleUrls" | "crawlUrls";
    };
    UrlTrace: {
      /** @description normalised, as crawls know it */
      url: string;
      /** @description whether the index has a page with this URL */
      isIndexed: boolean;
      /** @description why it is found or not, and what to do */
      verdict: string;
      /** @description what the settings of the site say about the URL */
      scope: components["schemas"]["UrlScope"];
      /** @description what robots.txt says about the URL */
      robots: {
        /** @description whether the site’s settings respect robots.txt */
        respected: boolean;
        /** @description absent if no crawl has read robots.txt */
        allowed?: boolean;
        /** @description the line that decides; absent if none applies */
        rule?: string;
        /** @description its number in robots.txt, from 1 */
        line?: number;
        /**
         * Format: uuid
         * @description the crawl that has read it
         */
        jobId?: string;
      };
      /**
       * @description in the last crawl that met it
       * @enum {string}
       */
      foundBy?: "start" | "list" | "sitemap" | "page";
      /** @description the sitemap that names it */
      sitemap?: string;
      /** @description the page that links to it */
      foundOn?: string;
      /** @description where redirects, canonicals and equal texts lead, in order */
      leadsTo?: components["schemas"]["JobPage"][];
      /** @description absent if the site has not been crawled */
      lastCrawl?: {
        /**
         * Format: uuid
         * @description the id of the crawl job
         */
        jobId: string;
        /**
         * @description its state
         * @enum {string}
         */
        status: "pending" | "running" | "completed" | "failed" | "cancelled";
        /** @description done, limit, cancelled, or the code of the failure */
        endReason?: string;
        /** @description a message about the failure */
        error?: string;
      };
      /** @description its outcomes in the newest ten crawls, newest first */
      history: {
        /** @description as it was fetched */
        url: string;
        /**
         * @description absent while the URL is queued
         * @enum {string}
         */
        outcome?: "indexed" | "unchanged" | "duplicate" | "skipped" | "gone" | "failed";
        /**
         * @description why; absent for outcomes without reasons
         * @enum {string}
         */
        reason?: "404" | "410" | "robots" | "ingested" | "excluded" | "not_included" | "out_of_scope" | "noindex" | "canonical" | "redirect" | "too_deep" | "over_limit" | "cancelled" | "content_type" | "empty" | "soft_404" | "encrypted" | "scanned" | "http_status" | "timeout" | "dns" | "connection" | "private_address" | "too_large" | "redirect_loop" | "unavailable" | "gave_up" | "bad_content" | "broken_pdf" | "not_rendered";
        /** @description the HTTP status, if the server responded */
        status?: number;
        /** @description links from the start page */
        depth: number;
        /** @description the page with the link; absent for the start page and listed URLs */
        foundOn?: string;
        /** @description the page that this URL duplicates, redirects to or names as canonical */
        target?: string;
        /** @description of an indexed page, at the end of the job: another one that has at least about 80 % of its text */
        nearDuplicateOf?: string;
        /**
         * Format: uuid
         * @description the id of the crawl job
         */
        jobId: string;
        /**
         * @description the state of the crawl
         * @enum {string}
         */
        jobStatus: "pending" | "running" | "completed" | "failed" | "cancelled";
        /** @description when the crawl was started, in epoch seconds */
        createdAt: number;
      }[];
      /** @description the page as it is indexed */
      page?: {
        /** @description the title of the page */
        title: string;
        /** @description your key of the page, as ingested */
        key?: string;
        /** @description into how many parts the text was divided */
        chunks: number;
        /**
         * @description how the page came into the index
         * @enum {string}
         */
        source: "crawl" | "ingest";
        /** @description when this version was indexed, in epoch seconds */
        indexedAt: number;
        /** @description other URLs with the same text, the shortest 20 */
        aliases: string[];
        /** @description how many such URLs there are */
        aliasCount: number;
        /**
         * @description no page of the site links to it any more
         * @constant
         */
        unlinked?: true;
        /**
         * @description too long: only its beginning is found, about a million characters, or the first 500 pages of a PDF
         * @constant
         */
        truncated?: true;
        /** @description ISO 8601 */
        crawledAt: string;
        /** @description false while it is being removed */
        isSearchable: boolean;
        /** @description ISO 8601 */
        publishedAt?: string;
        /** @description of its main text */
        characters?: number;
        /** @description links to other pages */
        links?: number;
        /** @description a tag such as `en` */
        language?: string;
        /** @description the URL that the page names as its canonical */
        canonical?: string;
      };
      /** @description the indexed page that has its text */
      aliasOf?: string;
      /** @description present if the page is to be removed, or was lately */
      removal?: {
        /**
         * @description `removed` within the last hour
         * @enum {string}
         */
        state: "held" | "removed";
        /**
         * Format: uuid
         * @description the review that holds it
         */
        reviewId?: string;
        /** @description why it counts as gone */
        reason?: string;
      };
      /** @description how a search for `q` ranks the page; present if `q` was given */
      query?: components["schemas"]["QueryTrace"];
    };
    UsageResponse: {
      /** @description YYYY-MM (UTC) */
      month: string;
      /** @description calls to models */
      ai: {
        /** @description calls to a model */
        totalRequests: number;
        /** @description tokens that models read */
        totalInputTokens: number;
        /** @description tokens that models wrote */
        totalOutputTokens: number;
        /** @description the sum of both */
        totalTokens: number;
        /** @description not paid, because an earlier answer was used again */
        savedTokens?: number;
        /** @description in USD, without models of unknown price */
        estimatedCost: number;
        /** @description calls for pages: their vectors and what a model wrote about them */
        ingest: {
          /** @description calls to a model */
          requests: number;
          /** @description tokens, input and output */
          tokens: number;
        };
        /** @description calls for questions of visitors */
        chat: {
          /** @description calls to a model */
          requests: number;
          /** @description tokens, input and output */
          tokens: number;
        };
        /** @description the same by model */
        models: {
          /** @description the name of the model, as the provider calls it */
          model: string;
          /** @description calls to a model */
          requests: number;
          /** @description tokens that the model read */
          inputTokens: number;
          /** @description tokens that the model wrote */
          outputTokens: number;
          /** @description in USD; null if the price is unknown */
          estimatedCost: number | null;
        }[];
        /** @description days with calls, oldest first */
        days?: {
          /**
           * Format: date
           * @description a day in UTC
           */
          date: string;
          /**
           * @description what the model was called for
           * @enum {string}
           */
          kind: "ingest" | "chat";
          /** @description calls to a model */
          requests: number;
          /** @description tokens, input and output */
          tokens: number;
          /** @description not paid, because an earlier answer was used again */
          savedTokens: number;
          /** @description in USD, without models of unknown price */
          estimatedCost: number;
        }[];
      };
      /** @description what the search index holds now */
      vectorDb: {
        /** @description sites with pages */
        totalCollections: number;
        /** @description indexed pages */
        totalDocuments: number;
      };
      /** @description calls of visitors in the month */
      searches: {
        /** @description searches, without chats */
        total: number;
        /** @description questions to the chat */
        chat: number;
      };
    };
    Webhook: {
      /**
       * Format: uuid
       * @description the webhook
       */
      webhookId: string;
      /** @description receives each event by POST */
      url: string;
      /** @description the events that are sent to it */
      events: ("crawl.completed" | "crawl.failed" | "crawl.cancelled" | "review.created")[];
      /** @description when it was added, in epoch seconds */
      createdAt: number;
    };
    WebhookDelivery: {
      /**
       * Format: uuid
       * @description the webhook
       */
      webhookId: string;
      /** @description the header webhook-id; the same in every attempt */
      eventId: string;
      /**
       * @description of the event
       * @enum {string}
       */
      type: "crawl.completed" | "crawl.failed" | "crawl.cancelled" | "review.created" | "webhook.test";
      /** @description where it was sent to */
      url: string;
      /**
       * @description `pending`: it is tried again
       * @enum {string}
       */
      status: "pending" | "delivered" | "failed";
      /** @description when the event happened, in epoch seconds */
      createdAt: number;
      /** @description attempts that were made */
      attempts: number;
      /** @description the last attempt, in epoch seconds */
      lastAttemptAt?: number;
      /** @description of the last attempt, if the server responded */
      httpStatus?: number;
      /** @description why the last attempt failed */
      error?: string;
      /** @description the next attempt, in epoch seconds; absent if there is none */
      nextAttemptAt?: number;
    };
    WebhookList: {
      /** @description oldest first, at most 20 of a site */
      webhooks: components["schemas"]["Webhook"][];
      /** @description the last 50 of the site, newest first */
      deliveries: components["schemas"]["WebhookDelivery"][];
      /** @description the `cursor` of the next page, or null */
      nextCursor: string | null;
      /** @description whether there is a next page */
      hasMore: boolean;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  "list-sites": {
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SiteList"];
        };
      };
    };
  };
  "create-site": {
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateSiteRequest"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["CreatedSite"];
        };
      };
    };
  };
  "list-sites-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SiteList"];
        };
      };
    };
  };
  "create-site-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateSiteRequest"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["CreatedSite"];
        };
      };
    };
  };
  "get-site": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Site"];
        };
      };
    };
  };
  "update-site": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateSiteRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["UpdatedSite"];
        };
      };
    };
  };
  "delete-site": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SuccessBody"];
        };
      };
    };
  };
  "get-site-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Site"];
        };
      };
    };
  };
  "update-site-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateSiteRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["UpdatedSite"];
        };
      };
    };
  };
  "delete-site-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SuccessBody"];
        };
      };
    };
  };
  "start-crawl": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CrawlOverrides"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["StartedCrawl"];
        };
      };
    };
  };
  "start-crawl-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CrawlOverrides"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["StartedCrawl"];
        };
      };
    };
  };
  "list-site-jobs": {
    parameters: {
      query?: {
        /** @description entries of a page, at most */
        limit?: number;
        /** @description `nextCursor` of the previous page */
        cursor?: string;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["CrawlJobList"];
        };
      };
    };
  };
  "list-site-jobs-in-organisation": {
    parameters: {
      query?: {
        /** @description entries of a page, at most */
        limit?: number;
        /** @description `nextCursor` of the previous page */
        cursor?: string;
      };
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["CrawlJobList"];
        };
      };
    };
  };
  "get-job": {
    parameters: {
      path: {
        /** @description the id of the crawl job */
        jobId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["CrawlJob"];
        };
      };
    };
  };
  "cancel-job": {
    parameters: {
      path: {
        /** @description the id of the crawl job */
        jobId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["CrawlJob"];
        };
      };
    };
  };
  "get-job-of-site": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
        /** @description the id of the crawl job */
        jobId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["CrawlJob"];
        };
      };
    };
  };
  "get-job-of-site-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
        /** @description the id of the crawl job */
        jobId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["CrawlJob"];
        };
      };
    };
  };
  "list-job-pages": {
    parameters: {
      query?: {
        /** @description only URLs with this outcome */
        outcome?: "indexed" | "unchanged" | "duplicate" | "skipped" | "gone" | "failed";
        /** @description only URLs with this reason */
        reason?: "404" | "410" | "robots" | "ingested" | "excluded" | "not_included" | "out_of_scope" | "noindex" | "canonical" | "redirect" | "too_deep" | "over_limit" | "cancelled" | "content_type" | "empty" | "soft_404" | "encrypted" | "scanned" | "http_status" | "timeout" | "dns" | "connection" | "private_address" | "too_large" | "redirect_loop" | "unavailable" | "gave_up" | "bad_content" | "broken_pdf" | "not_rendered";
        /** @description only this URL */
        url?: string;
        /** @description entries of a page, at most */
        limit?: number;
        /** @description `nextCursor` of the previous page */
        cursor?: string;
      };
      path: {
        /** @description the id of the crawl job */
        jobId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["JobPageList"];
        };
      };
    };
  };
  "get-crawl-urls": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["CrawlScope"];
        };
      };
    };
  };
  "replace-crawl-urls": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReplaceCrawlScopeRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ReplacedCrawlScope"];
        };
      };
    };
  };
  "clear-crawl-urls": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SuccessBody"];
        };
      };
    };
  };
  "get-crawl-urls-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["CrawlScope"];
        };
      };
    };
  };
  "replace-crawl-urls-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReplaceCrawlScopeRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ReplacedCrawlScope"];
        };
      };
    };
  };
  "clear-crawl-urls-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SuccessBody"];
        };
      };
    };
  };
  "list-schedules": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["CrawlScheduleList"];
        };
      };
    };
  };
  "set-schedule": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetScheduleRequest"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["CrawlSchedule"];
        };
      };
    };
  };
  "delete-schedule": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SuccessBody"];
        };
      };
    };
  };
  "list-schedules-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["CrawlScheduleList"];
        };
      };
    };
  };
  "set-schedule-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SetScheduleRequest"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["CrawlSchedule"];
        };
      };
    };
  };
  "delete-schedule-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SuccessBody"];
        };
      };
    };
  };
  "list-pages": {
    parameters: {
      query?: {
        /** @description entries of a page, at most */
        limit?: number;
        /** @description `nextCursor` of the previous page */
        cursor?: string;
        /** @description part of the title or URL; if blank, all pages */
        search?: string;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["IndexedPageList"];
        };
      };
    };
  };
  "ingest-pages": {
    parameters: {
      query?: {
        /** @description has no effect, because the answer always waits: other clients send it */
        wait?: boolean;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["IngestRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["IngestResult"];
        };
      };
    };
  };
  "delete-pages": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeletePagesRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["DeletePagesResult"];
        };
      };
    };
  };
  "list-pages-in-organisation": {
    parameters: {
      query?: {
        /** @description entries of a page, at most */
        limit?: number;
        /** @description `nextCursor` of the previous page */
        cursor?: string;
        /** @description part of the title or URL; if blank, all pages */
        search?: string;
      };
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["IndexedPageList"];
        };
      };
    };
  };
  "ingest-pages-in-organisation": {
    parameters: {
      query?: {
        /** @description has no effect, because the answer always waits: other clients send it */
        wait?: boolean;
      };
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["IngestRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["IngestResult"];
        };
      };
    };
  };
  "delete-pages-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeletePagesRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["DeletePagesResult"];
        };
      };
    };
  };
  "purge-site": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PurgedSite"];
        };
      };
    };
  };
  "purge-site-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PurgedSite"];
        };
      };
    };
  };
  "list-index-pages": {
    parameters: {
      query?: {
        /** @description entries of a page, at most */
        limit?: number;
        /** @description `nextCursor` of the previous page */
        cursor?: string;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["IndexPageList"];
        };
      };
    };
  };
  "delete-index-pages": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeleteIndexPagesRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["DeletedIndexPages"];
        };
      };
    };
  };
  "list-index-pages-in-organisation": {
    parameters: {
      query?: {
        /** @description entries of a page, at most */
        limit?: number;
        /** @description `nextCursor` of the previous page */
        cursor?: string;
      };
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["IndexPageList"];
        };
      };
    };
  };
  "delete-index-pages-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DeleteIndexPagesRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["DeletedIndexPages"];
        };
      };
    };
  };
  "get-health": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SiteHealth"];
        };
      };
    };
  };
  "get-health-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SiteHealth"];
        };
      };
    };
  };
  "trace-url": {
    parameters: {
      query: {
        /** @description a URL, or a path of the site */
        url: string;
        /** @description what is searched */
        q?: string;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["UrlTrace"];
        };
      };
    };
  };
  "trace-url-in-organisation": {
    parameters: {
      query: {
        /** @description a URL, or a path of the site */
        url: string;
        /** @description what is searched */
        q?: string;
      };
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["UrlTrace"];
        };
      };
    };
  };
  "test-url": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TestUrlRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["TestedUrl"];
        };
      };
    };
  };
  "test-url-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TestUrlRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["TestedUrl"];
        };
      };
    };
  };
  "preview-search": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PreviewRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PreviewResponse"];
        };
      };
    };
  };
  "preview-search-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PreviewRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PreviewResponse"];
        };
      };
    };
  };
  "list-reviews": {
    parameters: {
      query?: {
        /** @description entries of a page, at most */
        limit?: number;
        /** @description `nextCursor` of the previous page */
        cursor?: string;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ReviewList"];
        };
      };
    };
  };
  "list-reviews-in-organisation": {
    parameters: {
      query?: {
        /** @description entries of a page, at most */
        limit?: number;
        /** @description `nextCursor` of the previous page */
        cursor?: string;
      };
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ReviewList"];
        };
      };
    };
  };
  "get-review": {
    parameters: {
      query?: {
        /** @description `nextCursor` of the previous page */
        cursor?: string;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
        /** @description the id of the review */
        reviewId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ReviewWithUrls"];
        };
      };
    };
  };
  "get-review-in-organisation": {
    parameters: {
      query?: {
        /** @description `nextCursor` of the previous page */
        cursor?: string;
      };
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
        /** @description the id of the review */
        reviewId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ReviewWithUrls"];
        };
      };
    };
  };
  "approve-review": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
        /** @description the id of the review */
        reviewId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Review"];
        };
      };
    };
  };
  "approve-review-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
        /** @description the id of the review */
        reviewId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Review"];
        };
      };
    };
  };
  "reject-review": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
        /** @description the id of the review */
        reviewId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Review"];
        };
      };
    };
  };
  "reject-review-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
        /** @description the id of the review */
        reviewId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Review"];
        };
      };
    };
  };
  "list-webhooks": {
    parameters: {
      query?: {
        /** @description entries of a page, at most */
        limit?: number;
        /** @description `nextCursor` of the previous page */
        cursor?: string;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["WebhookList"];
        };
      };
    };
  };
  "create-webhook": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateWebhookRequest"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["CreatedWebhook"];
        };
      };
    };
  };
  "list-webhooks-in-organisation": {
    parameters: {
      query?: {
        /** @description entries of a page, at most */
        limit?: number;
        /** @description `nextCursor` of the previous page */
        cursor?: string;
      };
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["WebhookList"];
        };
      };
    };
  };
  "create-webhook-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateWebhookRequest"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["CreatedWebhook"];
        };
      };
    };
  };
  "delete-webhook": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
        /** @description the webhook */
        webhookId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SuccessBody"];
        };
      };
    };
  };
  "delete-webhook-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
        /** @description the webhook */
        webhookId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SuccessBody"];
        };
      };
    };
  };
  "test-webhook": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
        /** @description the webhook */
        webhookId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["WebhookDelivery"];
        };
      };
    };
  };
  "test-webhook-in-organisation": {
    parameters: {
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
        /** @description the webhook */
        webhookId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["WebhookDelivery"];
        };
      };
    };
  };
  "list-groups": {
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SearchGroupList"];
        };
      };
    };
  };
  "create-group": {
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateGroupRequest"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["SearchGroup"];
        };
      };
    };
  };
  "get-group": {
    parameters: {
      path: {
        /** @description the id of the search group */
        groupId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SearchGroup"];
        };
      };
    };
  };
  "update-group": {
    parameters: {
      path: {
        /** @description the id of the search group */
        groupId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UpdateGroupRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SearchGroup"];
        };
      };
    };
  };
  "delete-group": {
    parameters: {
      path: {
        /** @description the id of the search group */
        groupId: string;
      };
    };
    responses: {
      204: {
      };
    };
  };
  "search-site": {
    parameters: {
      query: {
        /** @description what is searched */
        q: string;
        /** @description results, at most */
        limit?: number;
        /** @description results with a lower score are left out */
        minScore?: number;
        /** @description results to leave out before the first */
        offset?: number;
        /** @description JSON of the same `filters` as in POST */
        filters?: string;
        /** @description fields whose values are counted: `tags`, `language`, and those of the schema with `facet` */
        facets?: string[];
        /** @description whether the last word may be the beginning of a word */
        autocomplete?: boolean;
        /** @description searches the words as typed, without corrections and completions */
        exact?: boolean;
        /** @description further passages of each page, at most this many */
        sections?: number;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SearchResponse"];
        };
      };
    };
  };
  "search-site-by-post": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SearchRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SearchResponse"];
        };
      };
    };
  };
  "get-site-facets": {
    parameters: {
      query?: {
        /** @description counts only the pages that a search for it finds, among at most 1,000 candidates; by default all pages */
        q?: string;
        /** @description JSON of the same `filters` as in POST */
        filters?: string;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["FacetsResponse"];
        };
      };
    };
  };
  "suggest-in-site": {
    parameters: {
      query: {
        /** @description what is searched */
        q: string;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SuggestResponse"];
        };
      };
    };
  };
  "record-event": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SearchEvent"];
      };
    };
    responses: {
      202: {
        content: {
          "application/json": components["schemas"]["SuccessBody"];
        };
      };
    };
  };
  "search-group": {
    parameters: {
      query: {
        /** @description what is searched */
        q: string;
        /** @description results, at most */
        limit?: number;
        /** @description results with a lower score are left out */
        minScore?: number;
        /** @description results to leave out before the first */
        offset?: number;
        /** @description JSON of the same `filters` as in POST */
        filters?: string;
        /** @description fields whose values are counted: `tags`, `language`, and those of the schema with `facet` */
        facets?: string[];
        /** @description whether the last word may be the beginning of a word */
        autocomplete?: boolean;
        /** @description searches the words as typed, without corrections and completions */
        exact?: boolean;
        /** @description further passages of each page, at most this many */
        sections?: number;
      };
      path: {
        /** @description the id of the search group */
        groupId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["GroupSearchResponse"];
        };
      };
    };
  };
  "search-group-by-post": {
    parameters: {
      path: {
        /** @description the id of the search group */
        groupId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["GroupSearchRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["GroupSearchResponse"];
        };
      };
    };
  };
  "get-group-facets": {
    parameters: {
      query?: {
        /** @description counts only the pages that a search for it finds, among at most 1,000 candidates; by default all pages */
        q?: string;
        /** @description JSON of the same `filters` as in POST */
        filters?: string;
      };
      path: {
        /** @description the id of the search group */
        groupId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["FacetsResponse"];
        };
      };
    };
  };
  "suggest-in-group": {
    parameters: {
      query: {
        /** @description what is searched */
        q: string;
      };
      path: {
        /** @description the id of the search group */
        groupId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SuggestResponse"];
        };
      };
    };
  };
  "get-site-page": {
    parameters: {
      query: {
        /** @description the address of the page, or its path */
        url: string;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["PageMarkdown"];
          "text/markdown": components["schemas"]["MarkdownText"];
        };
      };
    };
  };
  "get-llms-txt": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "text/plain": components["schemas"]["LlmsTxt"];
        };
      };
    };
  };
  "chat-with-site": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChatRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ChatResponse"];
          "text/event-stream": components["schemas"]["ChatResponse"];
        };
      };
    };
  };
  "chat-with-group": {
    parameters: {
      path: {
        /** @description the id of the search group */
        groupId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChatRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ChatResponse"];
          "text/event-stream": components["schemas"]["ChatResponse"];
        };
      };
    };
  };
  "call-site-mcp": {
    parameters: {
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["McpRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["McpResponse"];
        };
      };
    };
  };
  "call-group-mcp": {
    parameters: {
      path: {
        /** @description the id of the search group */
        groupId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["McpRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["McpResponse"];
        };
      };
    };
  };
  "call-owner-mcp": {
    parameters: {
      query?: {
        /** @description whether tools may change something; by default they only read */
        write?: boolean;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["McpRequest"];
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["McpResponse"];
        };
      };
    };
  };
  "get-analytics": {
    parameters: {
      query?: {
        /** @description the number of days (UTC) up to today, such as `30d` */
        range?: string;
        /** @description only this site; by default all of them */
        siteId?: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["AnalyticsResponse"];
        };
      };
    };
  };
  "get-usage": {
    parameters: {
      query?: {
        /** @description YYYY-MM, by default the current month (UTC) */
        month?: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["UsageResponse"];
        };
      };
    };
  };
  "get-site-usage": {
    parameters: {
      query?: {
        /** @description the number of days (UTC) up to today, such as `30d` */
        range?: string;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SiteUsageResponse"];
        };
      };
    };
  };
  "get-site-usage-in-organisation": {
    parameters: {
      query?: {
        /** @description the number of days (UTC) up to today, such as `30d` */
        range?: string;
      };
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SiteUsageResponse"];
        };
      };
    };
  };
  "list-top-queries": {
    parameters: {
      query?: {
        /** @description the number of days (UTC) up to today, such as `30d` */
        range?: string;
        /** @description entries, at most */
        limit?: number;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SiteTopQueriesResponse"];
        };
      };
    };
  };
  "list-top-queries-in-organisation": {
    parameters: {
      query?: {
        /** @description the number of days (UTC) up to today, such as `30d` */
        range?: string;
        /** @description entries, at most */
        limit?: number;
      };
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["SiteTopQueriesResponse"];
        };
      };
    };
  };
  "list-content-gaps": {
    parameters: {
      query?: {
        /** @description the number of days (UTC) up to today, such as `30d` */
        range?: string;
        /** @description entries, at most */
        limit?: number;
      };
      path: {
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ContentGapsResponse"];
        };
      };
    };
  };
  "list-content-gaps-in-organisation": {
    parameters: {
      query?: {
        /** @description the number of days (UTC) up to today, such as `30d` */
        range?: string;
        /** @description entries, at most */
        limit?: number;
      };
      path: {
        /** @description the organisation of the key */
        orgId: string;
        /** @description the id of the site */
        siteId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ContentGapsResponse"];
        };
      };
    };
  };
  "list-keys": {
    parameters: {
      query?: {
        /** @description entries of a page, at most */
        limit?: number;
        /** @description `nextCursor` of the previous page */
        cursor?: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ApiKeyList"];
        };
      };
    };
  };
  "create-key": {
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateKeyRequest"];
      };
    };
    responses: {
      201: {
        content: {
          "application/json": components["schemas"]["CreatedApiKey"];
        };
      };
    };
  };
  "revoke-key": {
    parameters: {
      path: {
        /** @description the id of the key, which is no secret */
        keyId: string;
      };
    };
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["ApiKey"];
        };
      };
    };
  };
  "get-organisation": {
    responses: {
      200: {
        content: {
          "application/json": components["schemas"]["Organisation"];
        };
      };
    };
  };
}
