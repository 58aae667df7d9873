import { describe, it } from "@effect/vitest"
import { decodeCall } from "../src/pipelines/decode.ts"
import { assertCommand, requestContext } from "./requests.ts"

/** All documented event names that are recorded as ordinary events, by group. */
const ordinary = {
  "pipelines-api §6.1 A/B test: records each event name as an ordinary event": ["Experiment Viewed"],
  "pipelines-api §6.1 Ecommerce: records each event name as an ordinary event": [
    "Products Searched",
    "Product List Viewed",
    "Product List Filtered",
    "Product Clicked",
    "Product Viewed",
    "Product Added",
    "Product Removed",
    "Cart Viewed",
    "Checkout Started",
    "Checkout Step Viewed",
    "Checkout Step Completed",
    "Payment Info Entered",
    "Order Completed",
    "Order Updated",
    "Order Refunded",
    "Order Cancelled",
    "Promotion Viewed",
    "Promotion Clicked",
    "Coupon Entered",
    "Coupon Applied",
    "Coupon Denied",
    "Coupon Removed",
    "Product Added to Wishlist",
    "Product Removed from Wishlist",
    "Wishlist Product Added to Cart",
    "Product Shared",
    "Cart Shared",
    "Product Reviewed",
  ],
  "pipelines-api §6.1 Email: records each event name as an ordinary event": [
    "Email Bounced",
    "Email Delivered",
    "Email Opened",
    "Email Link Clicked",
    "Email Marked as Spam",
    "Email Unsubscribed",
  ],
  "pipelines-api §6.1 Live chat: records each event name as an ordinary event": [
    "Live Chat Conversation Started",
    "Live Chat Conversation Ended",
    "Live Chat Message Sent",
    "Live Chat Message Received",
  ],
  "pipelines-api §6.1 Mobile app: records each event name as an ordinary event": [
    "Application Installed",
    "Application Opened",
    "Application Backgrounded",
    "Application Foregrounded",
    "Application Updated",
    "Application Uninstalled",
    "Application Crashed",
  ],
  "pipelines-api §6.1 Video: records each event name as an ordinary event": [
    "Video Playback Started",
    "Video Playback Paused",
    "Video Playback interrupted",
    "Video Playback Buffer Started",
    "Video Playback Buffer Completed",
    "Video Playback Seek Started",
    "Video Playback Seek Completed",
    "Video Playback Resumed",
    "Video Playback Completed",
    "Video Playback Exited",
    "Video Content Started",
    "Video Content Playing",
    "Video Content Completed",
    "Video Ad Started",
    "Video Ad Playing",
    "Video Ad Completed",
  ],
}

describe("events with documented names are stored unchanged", () => {
  for (const [group, names] of Object.entries(ordinary)) {
    it(group, () => {
      for (const name of names) {
        const properties = { products: [{ sku: "a" }], total: 4.5 }
        const [command] = decodeCall(requestContext(), "track", {
          userId: "5",
          event: name,
          properties,
        }).commands
        assertCommand(command, { _tag: "RecordEvent", kind: "event", name, data: properties, device: null })
      }
    })
  }
})
