declare module 'virtual:themes.css'
