// NVIDIA's compiler for whole programs, nvcc, with the programs that it calls. Unlike NVRTC (device/compiler/), it compiles host
// code as well, by the C++ compiler of this machine. It needs no GPU.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "device/error.hpp"

namespace warpbook::device {

/// The one command that gets it.
inline constexpr const char* kNvccCommand = "./warpbook fetch nvcc";

/// The CUDA runtime's file, by which a program asks for it.
inline constexpr const char* kRuntimeFile = "libcudart.so.13";

struct Nvcc {
  std::filesystem::path program;   ///< links resolved
  std::filesystem::path includes;  ///< the folder of cuda_runtime.h
};

/// In $WARPBOOK_NVCC, the folder of a toolkit or of unpacked wheels, and nowhere else where it is set; else in a CUDA 13 toolkit
/// in the usual folders, and in what `./warpbook fetch nvcc` brought. A folder that lacks a part of nvcc is passed over.
/// Error: library_missing.
Expected<Nvcc> find_nvcc();

/// The nvcc of one folder, in a toolkit's layout or a wheel's. Error: library_missing, which names what the folder lacks.
Expected<Nvcc> nvcc_in(const std::filesystem::path& folder);

/// The folder of the CUDA runtime that came with it, NVIDIA's own libcudart.so.13, for programs on a real GPU. Error:
/// library_missing.
Expected<std::filesystem::path> nvidia_runtime_folder(const Nvcc& nvcc);

/// Distinguishes what one nvcc makes from what another one makes: for keys of caches.
std::string identity_of(const Nvcc& nvcc);

}  // namespace warpbook::device
