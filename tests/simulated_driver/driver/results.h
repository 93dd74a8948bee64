// Result codes of the drivers' functions. CUDA and HIP have the same numbers for those here.
#pragma once

namespace qd::simulated {

enum class Result : int {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NotInitialized = 3,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidImage = 200,
  InvalidContext = 201,
  InvalidHandle = 400,
  NotFound = 500,
  NotReady = 600,
  IllegalAddress = 700,
  ContextIsDestroyed = 709,
  IllegalInstruction = 715,
  LaunchFailed = 719,
  NotSupported = 801,
  CaptureUnsupported = 900,
  CaptureUnjoined = 904,
  Unknown = 999,
};

/// "CUDA_ERROR_INVALID_VALUE"; null for a number that is no result.
const char* cuda_name(Result result);
/// "hipErrorInvalidValue"; "hipErrorUnknown" for a number that is no result.
const char* hip_name(Result result);
/// A sentence for people; null for a number that is no result.
const char* description(Result result);

}  // namespace qd::simulated
