@_exported import LeapSDK
@_exported import enum ModelLibrary.ModelDownloadError
@_exported import struct ModelLibrary.LibrarySettings
@_exported import struct ModelLibrary.ModelManifest
