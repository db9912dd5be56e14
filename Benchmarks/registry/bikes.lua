-- Gets random ones of BIKES bikes with TOKEN below GET_PATH.
local bikes = tonumber(os.getenv("BIKES"))
local path = os.getenv("GET_PATH") or "/v1/bikes/"
local headers = { ["Authorization"] = "Bearer " .. (os.getenv("TOKEN") or "") }
math.randomseed(7)

function request()
    return wrk.format("GET", path .. string.format("019aa4e1-1c2d-7000-8000-%012x", math.random(0, bikes - 1)), headers)
end
