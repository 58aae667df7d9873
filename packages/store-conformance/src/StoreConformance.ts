import type { StoreServices } from "@inlethq/storage/storeServices"
import { auditLaws } from "./tables/auditLaws.ts"
import { cursorLaws } from "./tables/cursorLaws.ts"
import { deletionLaws } from "./erasing/deletionLaws.ts"
import { deliveryLaws } from "./resources/deliveryLaws.ts"
import { deviceLaws } from "./people/deviceLaws.ts"
import { duplicateLaws } from "./people/duplicateLaws.ts"
import { catalogLaws } from "./log/catalogLaws.ts"
import { countLaws } from "./log/countLaws.ts"
import { erasureLaws } from "./erasing/erasureLaws.ts"
import { filterLaws } from "./log/filterLaws.ts"
import { formLaws } from "./resources/formLaws.ts"
import { formerLaws } from "./people/formerLaws.ts"
import { freedLaws } from "./people/freedLaws.ts"
import { gainLaws } from "./people/gainLaws.ts"
import { lakeLaws } from "./tables/lakeLaws.ts"
import type { Law } from "./script/Law.ts"
import { ledgerLaws } from "./erasing/ledgerLaws.ts"
import { membershipLaws } from "./segments/membershipLaws.ts"
import { mergeLaws } from "./people/mergeLaws.ts"
import { originLaws } from "./people/originLaws.ts"
import { objectLaws } from "./resources/objectLaws.ts"
import { partLaws } from "./log/partLaws.ts"
import { refusalLaws } from "./log/refusalLaws.ts"
import { refusalLifeLaws } from "./log/refusalLifeLaws.ts"
import { registryLaws } from "./tables/registryLaws.ts"
import { keptLaws } from "./log/keptLaws.ts"
import { rejectionLaws } from "./log/rejectionLaws.ts"
import { planLaws } from "./log/planLaws.ts"
import { provenanceLaws } from "./log/provenanceLaws.ts"
import { retentionLaws } from "./erasing/retentionLaws.ts"
import { ruleLaws } from "./segments/ruleLaws.ts"
import { searchLaws } from "./log/searchLaws.ts"
import { segmentLaws } from "./segments/segmentLaws.ts"
import { senderLaws } from "./log/senderLaws.ts"
import { sessionLaws } from "./tables/sessionLaws.ts"
import { sizeLaws } from "./log/sizeLaws.ts"
import { snapshotLaws } from "./log/snapshotLaws.ts"
import { storeLaws } from "./log/storeLaws.ts"
import { summaryLaws } from "./tables/summaryLaws.ts"
import { suppressionLaws } from "./people/suppressionLaws.ts"
import { sweepLaws } from "./erasing/sweepLaws.ts"
import { tokenLaws } from "./tables/tokenLaws.ts"
import { unmergeLaws } from "./people/unmergeLaws.ts"
import { knownTimeLaws } from "./tables/knownTimeLaws.ts"
import { importLaws } from "./tables/importLaws.ts"
import { uploadLaws } from "./tables/uploadLaws.ts"
import { alertLaws } from "./tables/alertLaws.ts"
import { viewLaws } from "./tables/viewLaws.ts"
import { webhookErasureLaws } from "./erasing/webhookErasureLaws.ts"
import { destinationHourLaws } from "./tables/destinationHourLaws.ts"
import { forwardLaws } from "./tables/forwardLaws.ts"
import { webhookLaws } from "./tables/webhookLaws.ts"
import { workspaceLaws } from "./tables/workspaceLaws.ts"

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
  ...planLaws,
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
  ...viewLaws,
  ...alertLaws,
  ...webhookLaws,
  ...forwardLaws,
  ...destinationHourLaws,
  ...webhookErasureLaws,
  ...cursorLaws,
  ...lakeLaws,
  ...summaryLaws,
]
