"""A round trip with the clients of openapi-python-client: create, ingest, search, chat, delete."""

import json
import os
from typing import TypeVar, cast

from site_search_api_client import AuthenticatedClient
from site_search_api_client.api.content import ingest_pages
from site_search_api_client.api.sites import create_site, delete_site, get_site
from site_search_api_client.models import (
    CreatedSite,
    CreateSiteRequest,
    IngestRequest,
    IngestResult,
    PageContent,
    PublicAccessChanges,
    Site,
    SuccessBody,
)
from site_search_for_visitors_client import AuthenticatedClient as VisitorClient
from site_search_for_visitors_client import Client
from site_search_for_visitors_client.api.chat import chat_with_site
from site_search_for_visitors_client.api.search import get_site_facets, search_site, search_site_by_post
from site_search_for_visitors_client.models import (
    ChatRequest,
    ChatResponse,
    FacetsResponse,
    Filters,
    SearchRequest,
    SearchResponse,
    StringFacet,
)

QUERY = "When is high tide in the harbour?"
Answer = TypeVar("Answer")


def answer(value: object, kind: type[Answer]) -> Answer:
    """The answer, if it is no error."""
    assert isinstance(value, kind), value
    return value


service = json.loads(os.environ["SERVICE"])
api = AuthenticatedClient(base_url=service["baseUrl"], token=service["apiKey"])
# Its types require a key where one is optional.
visitor = cast(VisitorClient, Client(base_url=service["publicUrl"]))

access = PublicAccessChanges(enabled=True, allowed_domains=["*"])
new_site = CreateSiteRequest(name="Harbour", base_url="https://www.example.com/", public_access=access)
created = answer(create_site.sync(client=api, body=new_site), CreatedSite)
site_id = created.site_id

page = PageContent(
    url="/tides",
    content="<h1>Tides</h1><p>High tide in the harbour is at noon on the first of May.</p>",
    tags=["tides"],
)
ingested = answer(ingest_pages.sync(site_id, client=api, body=IngestRequest(pages=[page])), IngestResult)
assert ingested.processed == 1, ingested

filters = Filters.from_dict({"tags": ["tides", "boats"]})
search = SearchRequest(query=QUERY, filters=filters, facets=["tags"])
found = answer(search_site_by_post.sync(site_id, client=visitor, body=search), SearchResponse)
start, end = found.results[0].highlights[0]
assert start < end, found
listed = answer(search_site.sync(site_id, client=visitor, q=QUERY), SearchResponse)
assert listed.total_results == 1, listed
counted = answer(get_site_facets.sync(site_id, client=visitor), FacetsResponse)
assert isinstance(counted.facets[0], StringFacet), counted

asked = answer(chat_with_site.sync(site_id, client=visitor, body=ChatRequest(message=QUERY)), ChatResponse)
assert "noon" in asked.answer and asked.sources[0].url, asked

site = answer(get_site.sync(site_id, client=api), Site)
assert site.crawler_config.javascript_enabled is False, site

answer(delete_site.sync(site_id, client=api), SuccessBody)
