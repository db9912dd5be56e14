-- Posts batches of BATCH new visits (default 1) of missing bikes with TOKEN to POST_PATH.
local batch = tonumber(os.getenv("BATCH") or "1")
local bikes = tonumber(os.getenv("MISSING"))
local first, last = os.getenv("FIRST_SEEN"), os.getenv("LAST_SEEN")
local path = os.getenv("POST_PATH") or "/v1/sightings"
local headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. (os.getenv("TOKEN") or "") }
-- A run's identifiers are its own.
local run = string.format("%08x-%04x", tonumber(os.getenv("RUN") or "0"), math.random(0, 0xffff))
local count = 0
local visit = '{"id":"%s-7000-8000-%012x","stay":"%s-7000-9000-%012x","identity":{"uuid":"494E5445-4C4C-495F-524F-434B535F4857",'
    .. '"major":0,"minor":%d},"firstSeen":"' .. first .. '","lastSeen":"' .. last .. '","count":5,'
    .. '"rssi":{"min":-80,"max":-60},"measuredPower":-59,"proximity":"near","ended":false}'

function request()
    local visits = {}
    for index = 1, batch do
        count = count + 1
        visits[index] = string.format(visit, run, count, run, count, count % bikes)
    end
    return wrk.format("POST", path, headers, '{"visits":[' .. table.concat(visits, ",") .. "]}")
end
