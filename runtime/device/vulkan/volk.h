// The headers of Vulkan. Its functions are pointers, which volk fills in when the loader has been opened.
#pragma once

#define VK_NO_PROTOTYPES
#include <volk.h>
