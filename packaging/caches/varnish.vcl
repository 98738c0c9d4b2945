# Varnish 6.2 or later (Debian 12 has 7.1) in front of lectern: see docs/caching-varnish-nginx.md.
#
# Install as /etc/varnish/default.vcl, and start varnishd with `-p http_gzip_support=off`: lectern compresses, and without
# it Varnish asks for gzip only, never for brotli. In the configuration of lectern:
#
#   [server]
#   trusted_proxies = ["127.0.0.1", "::1"]
#   [cache.purge.varnish]
#   urls = ["http://127.0.0.1:6081"]
vcl 4.1;

import std;

backend lectern {
    .host = "127.0.0.1";
    .port = "8080";
    .connect_timeout = 1s;
    # Lectern ends uploads and the sync after 150 s, other requests after 15 s. What can be cached: see vcl_backend_fetch.
    .first_byte_timeout = 160s;
    .between_bytes_timeout = 10s;
}

# The same, to know whether it responds. Requests go to the one above: the first page that is not cached may need lectern
# before the next probe has found that it is back.
backend lectern_probed {
    .host = "127.0.0.1";
    .port = "8080";
    # Not /healthz, which is 503 when a disk is full: pages can still be read then.
    .probe = {
        .url = "/robots.txt";
        .interval = 1s;
        .timeout = 2s;
        .window = 3;
        .threshold = 2;
        .initial = 3;
    }
}

# Which addresses may purge: lectern's.
acl purgers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.restarts == 0) {
        unset req.http.X-Lectern-Try;
        unset req.http.X-Lectern-Lookup;
        unset req.http.X-Lectern-Timeout;
    }
    set req.backend_hint = lectern;

    # Varnish has already appended the address of the client to X-Forwarded-For, from which lectern takes the visitor's.

    # What changed, as words in Surrogate-Key. A request that a TLS proxy on this machine passes on also comes from
    # 127.0.0.1, and has a longer X-Forwarded-For.
    if (req.method == "BAN") {
        if (client.ip !~ purgers || req.http.X-Forwarded-For != "" + client.ip) {
            return (synth(403, "Forbidden"));
        }
        if (req.http.Surrogate-Key !~ "^[a-z0-9-]+( [a-z0-9-]+)*$") {
            return (synth(400, "Surrogate-Key is missing"));
        }
        ban("obj.http.Surrogate-Key ~ (^|\s)(" + regsuball(req.http.Surrogate-Key, " ", "|") + ")(\s|$)");
        return (synth(200, "Banned"));
    }

    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }

    # Admins see their own changes at once.
    if (req.http.Cookie ~ "(^|;\s*)(lectern_signed_in|(__Host-)?lectern_session)=" || req.http.Authorization) {
        return (pass);
    }
    # Never cached by lectern's own headers either; without this, requests for the same URL would wait for each other.
    # For photos of venues (/api/places/) lectern waits for another server.
    if (req.url ~ "^/(admin|auth|login-help|healthz)([/?]|$)" || req.url ~ "^/api/(auth/|places/|events/\d+/interest)"
        || req.url ~ "^/events/[^?]+/attendance") {
        return (pass);
    }

    # One variant for each content coding.
    if (req.http.Accept-Encoding ~ "\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))") {
        set req.http.Accept-Encoding = "br";
    } elsif (req.http.Accept-Encoding ~ "\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))") {
        set req.http.Accept-Encoding = "gzip";
    } else {
        unset req.http.Accept-Encoding;
    }
    # A link in a newsletter or a network has parameters of its own for every reader, which only scripts in the page read.
    if (req.url ~ "[?&](utm_[a-z]+|fbclid|gclid|msclkid|mc_[ce]id)=") {
        set req.url = regsuball(req.url, "([?&])(utm_[a-z]+|fbclid|gclid|msclkid|mc_[ce]id)=[^&]*", "\1");
        set req.url = regsub(regsuball(regsuball(req.url, "&&+", "&"), "\?&+", "?"), "[?&]+$", "");
    }
    # Lectern neither compresses nor lets caches store responses to cross-site requests. What this cache stores
    # is public, so visitors get the same, whichever page they come from.
    unset req.http.Referer;
    unset req.http.Sec-Fetch-Site;
    unset req.http.Sec-Fetch-Mode;

    # While lectern does not respond, everything up to a day old is served (stale-if-error).
    if (!std.healthy(lectern_probed)) {
        set req.http.X-Lectern-Try = "stale";
        if (req.restarts == 0) {
            set req.http.X-Lectern-Timeout = "3s";
        }
    }
    if (req.http.X-Lectern-Try == "fresh") {
        set req.grace = 0s;
        # If lectern does not respond, everybody waits for the own request only, not for those before it as well.
        set req.hash_ignore_busy = true;
    } else {
        set req.grace = 24h;
    }
    set req.http.X-Lectern-Lookup = "yes";
    return (hash);
}

sub vcl_hit {
    # Fresh, or stale and lectern does not respond, or stale for no longer than stale-while-revalidate allows, in which
    # case Varnish fetches it in the background.
    if (obj.ttl >= 0s || req.http.X-Lectern-Try == "stale"
        || obj.ttl + std.duration(obj.http.X-Lectern-Revalidate, 0s) >= 0s) {
        return (deliver);
    }
    # Too old: the visitor waits for the new one.
    set req.http.X-Lectern-Try = "fresh";
    set req.http.X-Lectern-Timeout = "3s";
    return (restart);
}

sub vcl_backend_fetch {
    # After a purge of everything, hundreds of pages are built one after the other. Lectern itself ends requests for what
    # can be cached after 15 s. Nobody waits as long for a page that is there, but stale, or while probes fail.
    if (bereq.is_bgfetch) {
        set bereq.first_byte_timeout = 3s;
    } elsif (bereq.http.X-Lectern-Lookup) {
        set bereq.first_byte_timeout = std.duration(bereq.http.X-Lectern-Timeout, 16s);
    }
    unset bereq.http.X-Lectern-Timeout;
}

sub vcl_backend_response {
    # A failure replaces nothing that is cached: see vcl_synth.
    if (beresp.status >= 500 && bereq.http.X-Lectern-Lookup
        && (bereq.is_bgfetch || bereq.http.X-Lectern-Try != "stale")) {
        return (abandon);
    }
    if (beresp.http.CDN-Cache-Control ~ "max-age=\d+" && !beresp.http.Set-Cookie) {
        set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*max-age=(\d+).*$", "\1s"), 0s);
        set beresp.grace = 0s;
        if (beresp.http.CDN-Cache-Control ~ "stale-if-error=\d+") {
            set beresp.grace =
                std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*stale-if-error=(\d+).*$", "\1s"), 0s);
        }
        set beresp.http.X-Lectern-Revalidate = "0s";
        if (beresp.http.CDN-Cache-Control ~ "stale-while-revalidate=\d+") {
            set beresp.http.X-Lectern-Revalidate =
                regsub(beresp.http.CDN-Cache-Control, "^.*stale-while-revalidate=(\d+).*$", "\1s");
        }
    } elsif (beresp.status >= 400 || beresp.ttl <= 0s || beresp.http.Set-Cookie || beresp.http.Vary ~ "\*"
        || beresp.http.Cache-Control ~ "(?i)private|no-cache|no-store") {
        # For a moment, requests for the same URL do not wait for each other. Not longer, because the next response
        # may be one for everybody: in the last second before an event begins, lectern forbids to store its page.
        set beresp.uncacheable = true;
        set beresp.ttl = 200ms;
        set beresp.grace = 0s;
    } else {
        # Files, which have an age of their own.
        set beresp.grace = 24h;
        set beresp.http.X-Lectern-Revalidate = "0s";
    }
    # When Varnish revalidates, the headers of a 304 are added to the stored ones, which must not outlast it.
    unset beresp.http.CDN-Cache-Control;
    unset beresp.http.Surrogate-Control;
    return (deliver);
}

sub vcl_backend_error {
    # Also when it was fetched in the background: requests that wait for it would get the error instead of what is stale.
    if (bereq.http.X-Lectern-Lookup && (bereq.is_bgfetch || bereq.http.X-Lectern-Try != "stale")) {
        return (abandon);
    }
    set beresp.http.Cache-Control = "no-store";
    set beresp.http.Retry-After = "30";
    if (bereq.url ~ "^/api/") {
        set beresp.http.Content-Type = "application/json";
        synthetic({"{ "error": "The site can't be reached at the moment. Try again in a minute." }"});
    } else {
        set beresp.http.Content-Type = "text/html; charset=utf-8";
        # The same as unavailable.html.
        synthetic({"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Back in a minute</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; text-align: center;
    font: 1.125rem/1.5 system-ui, sans-serif; background: #fff; color: #1a1a1a }
main { max-width: 32rem; padding: 1.5rem }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.2 }
p { margin: 0 }
@media (prefers-color-scheme: dark) { body { background: #16181a; color: #eee } }
</style>
<main>
<h1>Back in a minute</h1>
<p>This site can't be reached at the moment. Please try again in a minute.</p>
</main>
</html>
"});
    }
    return (deliver);
}

sub vcl_synth {
    # The fetch failed: once more, with what is stale. Where nothing is, an error of lectern itself is passed on.
    if (resp.status == 503 && req.http.X-Lectern-Lookup && req.http.X-Lectern-Try != "stale") {
        set req.http.X-Lectern-Try = "stale";
        set req.http.X-Lectern-Timeout = "1s";
        return (restart);
    }
}

sub vcl_deliver {
    if (obj.hits > 0) {
        # That of the request for which the response was built.
        unset resp.http.X-Request-Id;
    }
    # An error that several requests waited for has hits, too.
    if (obj.hits > 0 && resp.status < 500) {
        set resp.http.X-Cache = "HIT";
    } elsif (req.http.X-Lectern-Lookup) {
        set resp.http.X-Cache = "MISS";
    } else {
        set resp.http.X-Cache = "BYPASS";
    }
    # Purges reach this cache only, so no other one may store the response.
    if (resp.http.Cache-Control ~ "s-maxage") {
        set resp.http.Cache-Control = "no-cache";
    }
    unset resp.http.CDN-Cache-Control;
    unset resp.http.Surrogate-Control;
    unset resp.http.Surrogate-Key;
    unset resp.http.Cache-Tag;
    unset resp.http.X-Lectern-Revalidate;
    unset resp.http.X-Varnish;
    unset resp.http.Via;
    return (deliver);
}
