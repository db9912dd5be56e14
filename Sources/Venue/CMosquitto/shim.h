#ifndef FINDMYBIKE_CMOSQUITTO_SHIM_H
#define FINDMYBIKE_CMOSQUITTO_SHIM_H

// A module map names headers by absolute path or beside itself: this one finds the system's.
#include <mosquitto.h>
// The numbers of MQTT 5's properties.
#include <mqtt_protocol.h>

#endif
