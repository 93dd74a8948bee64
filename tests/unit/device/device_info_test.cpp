// Choice of a device by its number or a part of its name.
#include "runtime/device/device_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace qd::device {
namespace {

using ::testing::ThrowsMessage;

const std::vector<DeviceInfo> kDevices{{.name = "Toy 8000"}, {.name = "toy 9000"}, {.name = "llvmpipe"}};

TEST(FindDevice, ByItsNumber) {
  EXPECT_EQ(find_device(kDevices, "0"), 0u);
  EXPECT_EQ(find_device(kDevices, "2"), 2u);
}

TEST(FindDevice, ByAPartOfItsName) {
  EXPECT_EQ(find_device(kDevices, "TOY"), 0u);
  EXPECT_EQ(find_device(kDevices, "y 9"), 1u);
  EXPECT_EQ(find_device(kDevices, "LLVMpipe"), 2u);
}

TEST(FindDevice, ListsThoseThatThereAre) {
  EXPECT_THAT(
      [] { find_device(kDevices, "3"); },
      ThrowsMessage<std::invalid_argument>("there is no device 3; there are 0: Toy 8000, 1: toy 9000, 2: llvmpipe"));
  EXPECT_THAT([] { find_device(kDevices, "8000 "); },
              ThrowsMessage<std::invalid_argument>(::testing::HasSubstr("'8000 '")));
  EXPECT_THAT([] { find_device({}, "x"); },
              ThrowsMessage<std::invalid_argument>("no device has 'x' in its name; there are none"));
  EXPECT_THAT([] { find_device(kDevices, "99999999999999999999999"); },
              ThrowsMessage<std::invalid_argument>(::testing::HasSubstr("there is no device 99999999999999999999999")));
}

}  // namespace
}  // namespace qd::device
