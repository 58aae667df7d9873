import type { StoreServices } from "@inlet/storage/storeServices"
import { auditLaws } from "./auditLaws.ts"
import { cursorLaws } from "./cursorLaws.ts"
import { deletionLaws } from "./deletionLaws.ts"
import { deliveryLaws } from "./deliveryLaws.ts"
import { deviceLaws } from "./deviceLaws.ts"
import { duplicateLaws } from "./duplicateLaws.ts"
import { catalogLaws } from "./catalogLaws.ts"
import { countLaws } from "./countLaws.ts"
import { erasureLaws } from "./erasureLaws.ts"
import { filterLaws } from "./filterLaws.ts"
import { formLaws } from "./formLaws.ts"
import { formerLaws } from "./formerLaws.ts"
import { freedLaws } from "./freedLaws.ts"
import { gainLaws } from "./gainLaws.ts"
import { lakeLaws } from "./lakeLaws.ts"
import type { Law } from "./Law.ts"
import { ledgerLaws } from "./ledgerLaws.ts"
import { membershipLaws } from "./membershipLaws.ts"
import { mergeLaws } from "./mergeLaws.ts"
import { originLaws } from "./originLaws.ts"
import { objectLaws } from "./objectLaws.ts"
import { partLaws } from "./partLaws.ts"
import { refusalLaws } from "./refusalLaws.ts"
import { refusalLifeLaws } from "./refusalLifeLaws.ts"
import { registryLaws } from "./registryLaws.ts"
import { keptLaws } from "./keptLaws.ts"
import { rejectionLaws } from "./rejectionLaws.ts"
import { provenanceLaws } from "./provenanceLaws.ts"
import { retentionLaws } from "./retentionLaws.ts"
import { ruleLaws } from "./ruleLaws.ts"
import { searchLaws } from "./searchLaws.ts"
import { segmentLaws } from "./segmentLaws.ts"
import { senderLaws } from "./senderLaws.ts"
import { sessionLaws } from "./sessionLaws.ts"
import { sizeLaws } from "./sizeLaws.ts"
import { snapshotLaws } from "./snapshotLaws.ts"
import { storeLaws } from "./storeLaws.ts"
import { suppressionLaws } from "./suppressionLaws.ts"
import { sweepLaws } from "./sweepLaws.ts"
import { tokenLaws } from "./tokenLaws.ts"
import { unmergeLaws } from "./unmergeLaws.ts"
import { knownTimeLaws } from "./knownTimeLaws.ts"
import { importLaws } from "./importLaws.ts"
import { uploadLaws } from "./uploadLaws.ts"
import { webhookErasureLaws } from "./webhookErasureLaws.ts"
import { webhookLaws } from "./webhookLaws.ts"
import { workspaceLaws } from "./workspaceLaws.ts"

/** The properties ("laws") that every store must have. Each property is checked on an empty store. */
export const storeConformance: ReadonlyArray<Law<StoreServices>> = [
  ...storeLaws,
  ...workspaceLaws,
  ...catalogLaws,
  ...countLaws,
  ...filterLaws,
  ...searchLaws,
  ...snapshotLaws,
  ...objectLaws,
  ...partLaws,
  ...refusalLaws,
  ...refusalLifeLaws,
  ...provenanceLaws,
  ...rejectionLaws,
  ...keptLaws,
  ...deviceLaws,
  ...segmentLaws,
  ...sizeLaws,
  ...ruleLaws,
  ...membershipLaws,
  ...suppressionLaws,
  ...deliveryLaws,
  ...formLaws,
  ...mergeLaws,
  ...unmergeLaws,
  ...freedLaws,
  ...gainLaws,
  ...formerLaws,
  ...originLaws,
  ...duplicateLaws,
  ...sweepLaws,
  ...retentionLaws,
  ...erasureLaws,
  ...ledgerLaws,
  ...registryLaws,
  ...senderLaws,
  ...uploadLaws,
  ...knownTimeLaws,
  ...importLaws,
  ...deletionLaws,
  ...auditLaws,
  ...tokenLaws,
  ...sessionLaws,
  ...webhookLaws,
  ...webhookErasureLaws,
  ...cursorLaws,
  ...lakeLaws,
]
