#ifndef FINDMYBIKE_CBLUETOOTH_SHIM_H
#define FINDMYBIKE_CBLUETOOTH_SHIM_H

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <sys/ioctl.h>

// Swift does not import macros that call other macros, as _IOW does.
static const unsigned long findmybike_hci_device_up = HCIDEVUP;
static const unsigned long findmybike_hci_device_down = HCIDEVDOWN;
static const unsigned long findmybike_hci_device_reset = HCIDEVRESET;

#endif
