/** The address and the write key with which a snippet reaches the server. */
export interface Target {
  /** The address of the server, without a slash at its end. */
  readonly url: string
  readonly host: string
  readonly writeKey: string
}

export interface Snippet {
  readonly id: string
  readonly label: string
  /** A command or an instruction that installs what the code needs. Null if the code needs no package. */
  readonly install: string | null
  readonly code: string
  /** True if this client can send only to an https address. */
  readonly needsTls?: boolean
}

/** Returns a complete program for each language. Each program identifies a person and sends one event. */
export const snippetsFor = (target: Target): ReadonlyArray<Snippet> => [
  curl(target),
  node(target),
  python(target),
  go(target),
  ruby(target),
  php(target),
  browser(target),
  ios(target),
  android(target),
]

const curl = ({ url, writeKey }: Target): Snippet => ({
  id: "curl",
  label: "curl",
  install: null,
  code: `curl -u ${writeKey}: ${url}/v1/batch -d '{"batch": [
  {"type": "identify", "userId": "ada", "traits": {"email": "ada@example.com", "plan": "pro"}},
  {"type": "track", "userId": "ada", "event": "signed_up", "properties": {"source": "curl"}}
]}'`,
})

const node = ({ url, writeKey }: Target): Snippet => ({
  id: "node",
  label: "Node",
  install: "npm install @customerio/cdp-analytics-node",
  code: `import { Analytics } from "@customerio/cdp-analytics-node"

const analytics = new Analytics({ writeKey: "${writeKey}", host: "${url}" })

analytics.identify({ userId: "ada", traits: { email: "ada@example.com", plan: "pro" } })
analytics.track({ userId: "ada", event: "signed_up", properties: { source: "node" } })
await analytics.closeAndFlush()`,
})

const python = ({ url, writeKey }: Target): Snippet => ({
  id: "python",
  label: "Python",
  install: "pip install segment-analytics-python",
  code: `import segment.analytics as analytics

analytics.write_key = "${writeKey}"
analytics.host = "${url}"

analytics.identify("ada", {"email": "ada@example.com", "plan": "pro"})
analytics.track("ada", "signed_up", {"source": "python"})
analytics.flush()`,
})

const go = ({ url, writeKey }: Target): Snippet => ({
  id: "go",
  label: "Go",
  install: null,
  code: `package main

import (
	"fmt"
	"net/http"
	"strings"
)

const calls = \`{"batch": [
  {"type": "identify", "userId": "ada", "traits": {"email": "ada@example.com", "plan": "pro"}},
  {"type": "track", "userId": "ada", "event": "signed_up", "properties": {"source": "go"}}
]}\`

func main() {
	request, err := http.NewRequest("POST", "${url}/v1/batch", strings.NewReader(calls))
	if err != nil {
		panic(err)
	}
	request.SetBasicAuth("${writeKey}", "")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	fmt.Println(response.Status)
}`,
})

const ruby = ({ url, writeKey }: Target): Snippet => ({
  id: "ruby",
  label: "Ruby",
  install: null,
  code: `require "json"
require "net/http"

calls = [
  { type: "identify", userId: "ada", traits: { email: "ada@example.com", plan: "pro" } },
  { type: "track", userId: "ada", event: "signed_up", properties: { source: "ruby" } },
]
uri = URI("${url}/v1/batch")
request = Net::HTTP::Post.new(uri, "content-type" => "application/json")
request.basic_auth("${writeKey}", "")
request.body = { batch: calls }.to_json
response = Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }
puts response.code`,
})

const php = ({ url, writeKey }: Target): Snippet => ({
  id: "php",
  label: "PHP",
  install: null,
  code: `<?php
$calls = [
    ['type' => 'identify', 'userId' => 'ada', 'traits' => ['email' => 'ada@example.com', 'plan' => 'pro']],
    ['type' => 'track', 'userId' => 'ada', 'event' => 'signed_up', 'properties' => ['source' => 'php']],
];
$request = curl_init('${url}/v1/batch');
curl_setopt_array($request, [
    CURLOPT_USERPWD => '${writeKey}:',
    CURLOPT_HTTPHEADER => ['content-type: application/json'],
    CURLOPT_POSTFIELDS => json_encode(['batch' => $calls]),
    CURLOPT_RETURNTRANSFER => true,
]);
echo curl_exec($request), PHP_EOL;`,
})

const browser = ({ url, writeKey }: Target): Snippet => ({
  id: "browser",
  label: "Browser",
  install: null,
  code: `<script src="${url}/v1/analytics-js/snippet/${writeKey}/analytics.min.js"></script>
<script>
  analytics.identify("ada", { email: "ada@example.com", plan: "pro" })
  analytics.track("signed_up", { source: "browser" })
</script>`,
})

const ios = ({ host, writeKey }: Target): Snippet => ({
  id: "ios",
  label: "iOS",
  install: "Add the Swift package customerio-ios, product DataPipelines",
  needsTls: true,
  code: `import CioDataPipelines

let config = SDKConfigBuilder(cdpApiKey: "${writeKey}")
    .apiHost("${host}/v1")
    .cdnHost("${host}/v1")
    .build()
CustomerIO.initialize(withConfig: config)

CustomerIO.shared.identify(userId: "ada", traits: ["email": "ada@example.com", "plan": "pro"])
CustomerIO.shared.track(name: "signed_up", properties: ["source": "ios"])`,
})

const android = ({ host, writeKey }: Target): Snippet => ({
  id: "android",
  label: "Android",
  install: 'implementation("io.customer.android:datapipelines:4.+")',
  needsTls: true,
  code: `val config = CustomerIOConfigBuilder(application, "${writeKey}")
    .apiHost("${host}/v1")
    .cdnHost("${host}/v1")
    .build()
CustomerIO.initialize(config)

CustomerIO.instance().identify("ada", mapOf("email" to "ada@example.com", "plan" to "pro"))
CustomerIO.instance().track("signed_up", mapOf("source" to "android"))`,
})
