#include "tests/simulated_driver/driver/results.h"

namespace qd::simulated {
namespace {

struct Row {
  Result result;
  const char *cuda, *hip, *text;
};

constexpr Row kRows[] = {
    {Result::Success, "CUDA_SUCCESS", "hipSuccess", "no error"},
    {Result::InvalidValue, "CUDA_ERROR_INVALID_VALUE", "hipErrorInvalidValue", "invalid argument"},
    {Result::OutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "hipErrorOutOfMemory", "out of memory"},
    {Result::NotInitialized, "CUDA_ERROR_NOT_INITIALIZED", "hipErrorNotInitialized", "initialization error"},
    {Result::NoDevice, "CUDA_ERROR_NO_DEVICE", "hipErrorNoDevice", "there is no device"},
    {Result::InvalidDevice, "CUDA_ERROR_INVALID_DEVICE", "hipErrorInvalidDevice", "invalid device ordinal"},
    {Result::InvalidImage, "CUDA_ERROR_INVALID_IMAGE", "hipErrorInvalidImage", "device kernel image is invalid"},
    {Result::InvalidContext, "CUDA_ERROR_INVALID_CONTEXT", "hipErrorInvalidContext", "invalid device context"},
    {Result::InvalidHandle, "CUDA_ERROR_INVALID_HANDLE", "hipErrorInvalidHandle", "invalid resource handle"},
    {Result::NotFound, "CUDA_ERROR_NOT_FOUND", "hipErrorNotFound", "named symbol not found"},
    {Result::NotReady, "CUDA_ERROR_NOT_READY", "hipErrorNotReady", "device not ready"},
    {Result::IllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS", "hipErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {Result::ContextIsDestroyed, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "hipErrorContextIsDestroyed",
     "the context is destroyed"},
    {Result::IllegalInstruction, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "hipErrorIllegalInstruction",
     "an illegal instruction was encountered"},
    {Result::LaunchFailed, "CUDA_ERROR_LAUNCH_FAILED", "hipErrorLaunchFailure", "the kernel could not go on"},
    {Result::NotSupported, "CUDA_ERROR_NOT_SUPPORTED", "hipErrorNotSupported", "operation not supported"},
    {Result::CaptureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "hipErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {Result::CaptureUnjoined, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "hipErrorStreamCaptureUnjoined",
     "capture has streams that the first does not wait for"},
    {Result::Unknown, "CUDA_ERROR_UNKNOWN", "hipErrorUnknown", "unknown error"},
};

const Row* row(Result result) {
  for (const Row& row : kRows) {
    if (row.result == result) return &row;
  }
  return nullptr;
}

}  // namespace

const char* cuda_name(Result result) { return row(result) ? row(result)->cuda : nullptr; }
const char* hip_name(Result result) { return row(result) ? row(result)->hip : hip_name(Result::Unknown); }
const char* description(Result result) { return row(result) ? row(result)->text : nullptr; }

}  // namespace qd::simulated
