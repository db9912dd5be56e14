/* The port for Zephyr, for boards with an nRF51 or nRF52: ../README.md says how to build and provision it. */
#include <string.h>
#include <zephyr/bluetooth/bluetooth.h>
#include <zephyr/drivers/flash.h>
#include <zephyr/fs/nvs.h>
#include <zephyr/kernel.h>
#include <zephyr/storage/flash_map.h>

#include "beacon.h"

/* Where `findmybike beacon provision --format hex` puts the record: UICR's registers for customers, which survive an
 * update of the firmware (nRF52832 Product Specification, section 14). */
#define RECORD ((const uint8_t *)0x10001080)

enum { SLOT_ID = 1 };

static struct nvs_fs storage;
static __noinit struct fmb_retained retained;
static uint8_t advertised[FMB_DATA_LENGTH];
static bool is_sending;

static bool store(void *context, uint32_t slot) {
    /* 0 if the same number is there already, after a reset. */
    return nvs_write(&storage, SLOT_ID, &slot, sizeof slot) >= 0;
}

static void stop(void *context) { bt_le_adv_stop(); }

/* Zephyr makes a new non-resolvable address itself each time advertising starts, before the first frame. */
static void set_address(void *context, const uint8_t address[FMB_ADDRESS_LENGTH]) {}

static void set_data(void *context, const uint8_t data[FMB_DATA_LENGTH]) { memcpy(advertised, data, sizeof advertised); }

static void start(void *context) {
    /* The interval counts 0.625 ms. */
    const struct bt_le_adv_param *parameters = BT_LE_ADV_PARAM(
        BT_LE_ADV_OPT_USE_NRPA, FMB_INTERVAL_MS * 8 / 5, FMB_INTERVAL_MS * 8 / 5, NULL);
    /* Flags, and manufacturer data: type and length are Zephyr's. */
    const struct bt_data fields[] = {
        BT_DATA(advertised[1], advertised + 2, 1),
        BT_DATA(advertised[4], advertised + 5, FMB_DATA_LENGTH - 5),
    };
    is_sending = bt_le_adv_start(parameters, fields, ARRAY_SIZE(fields), NULL, 0) == 0;
}

static const struct fmb_port port = {NULL, store, stop, set_address, set_data, start};

static uint32_t mount_storage(void) {
    struct flash_pages_info page;
    uint32_t slot = UINT32_MAX;
    storage.flash_device = FIXED_PARTITION_DEVICE(storage_partition);
    storage.offset = FIXED_PARTITION_OFFSET(storage_partition);
    if (flash_get_page_info_by_offs(storage.flash_device, storage.offset, &page) != 0) return UINT32_MAX;
    storage.sector_size = page.size;
    storage.sector_count = FIXED_PARTITION_SIZE(storage_partition) / page.size;
    if (nvs_mount(&storage) != 0) return UINT32_MAX;
    return nvs_read(&storage, SLOT_ID, &slot, sizeof slot) == sizeof slot ? slot : UINT32_MAX;
}

int main(void) {
    struct fmb_beacon beacon;
    uint8_t key[FMB_KEY_LENGTH];
    uint32_t provisioned, stored = mount_storage();
    int64_t last;
    if (!fmb_read_record(RECORD, key, &provisioned) || bt_enable(NULL) != 0) return 0;
    last = k_uptime_get();
    fmb_begin(&beacon, &port, key, fmb_start_time(provisioned, stored, &retained));
    for (;;) {
        uint32_t seconds = fmb_until_change(&beacon);
        retained = fmb_retain(&beacon);
        /* A minute at most: a reset then costs at most a minute. */
        k_sleep(K_SECONDS(MIN(seconds, 60)));
        seconds = (uint32_t)((k_uptime_get() - last) / 1000);
        last += (int64_t)seconds * 1000;
        fmb_advance(&beacon, seconds);
        /* A beacon that is silent for a slot may miss its only chance to be heard. */
        if (!is_sending) start(NULL);
    }
}
