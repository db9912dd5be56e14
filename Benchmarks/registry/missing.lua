-- Asks for the missing list that it already has: GET_PATH with TOKEN and the entity tag TAG.
local headers = { ["Accept"] = "application/vnd.findmybike.missing-list", ["Authorization"] = "Bearer " .. (os.getenv("TOKEN") or ""), ["If-None-Match"] = os.getenv("TAG") }
local text = wrk.format("GET", os.getenv("GET_PATH") or "/v1/missing", headers)

function request() return text end
