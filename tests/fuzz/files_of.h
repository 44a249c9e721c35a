#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace softwood::fuzz {

/// The files of a folder, by name.
inline std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

inline std::string bytes_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What is tried stands in a file while it is: whatever ends the process leaves it behind.
class OnTrial {
 public:
  explicit OnTrial(std::filesystem::path path) : path_(std::move(path)) {}
  OnTrial(const OnTrial&) = delete;
  OnTrial& operator=(const OnTrial&) = delete;
  ~OnTrial() { std::filesystem::remove(path_); }
  void put(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace softwood::fuzz
